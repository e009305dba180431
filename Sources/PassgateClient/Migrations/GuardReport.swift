/// What a guard saw.
public struct GuardReport: Codable, Hashable, Sendable {
    /// What was observed of a side.
    public struct Tally: Codable, Hashable, Sendable {
        /// How many.
        public let observed: Int
        /// How many failed.
        public let failed: Int
    }

    /// One look.
    public struct Look: Codable, Hashable, Sendable {
        /// `handoff` or `activation`.
        public let stage: String
        /// Which look it is.
        public let number: Int
        /// When.
        public let at: Moment
        /// The old side.
        public let from: Tally
        /// The new side.
        public let to: Tally
        /// The test's score.
        public let score: Double
        /// By how much chance that is.
        public let pValue: Double
        /// Below which it trips.
        public let level: Double
        /// Whether it tripped.
        public let tripped: Bool

        enum CodingKeys: String, CodingKey {
            case stage, number, at, from, to, score, level, tripped
            case pValue = "p_value"
        }
    }

    /// How many attempts each side must have.
    public let minAttempts: Int
    /// By how much the new side must fail more often.
    public let margin: Double
    /// What is done then.
    public let action: GuardAction
    /// How it stands.
    public let state: GuardState
    /// When it last looked.
    public let lookedAt: Moment?
    /// When it looks next.
    public let nextLookAt: Moment?
    /// What it saw each time.
    public let looks: [Look]

    enum CodingKeys: String, CodingKey {
        case margin, action, state, looks
        case minAttempts = "min_attempts"
        case lookedAt = "looked_at"
        case nextLookAt = "next_look_at"
    }
}
