/// A program's move from one connection to another.
public struct Migration: Codable, Hashable, Sendable {
    /// How many are in a cohort.
    public struct CohortSize: Codable, Hashable, Sendable {
        /// A percentage of the cardholders.
        public let percent: Double?
        /// The cards of a list.
        public let cardCount: Int?

        enum CodingKeys: String, CodingKey {
            case percent
            case cardCount = "card_count"
        }
    }

    /// `migration`
    public let object: String
    /// Its id.
    public let id: String
    /// The program.
    public let program: String
    /// The connection that served.
    public let from: String
    /// The connection that shall serve.
    public let to: String
    /// What it does with its cohort.
    public let mode: MigrationMode
    /// How many are in it.
    public let cohort: CohortSize
    /// What stops it by itself.
    public let guardRule: MigrationGuard?
    /// Whether it may keep somebody from adding a card.
    public let allowStranded: Bool
    /// How it stands.
    public let status: MigrationStatus
    /// Why it stands so, where a guard did it.
    public let why: String?
    /// When it was opened.
    public let createdAt: Moment
    /// When it last changed.
    public let updatedAt: Moment
    /// When its cohort last grew.
    public let advancedAt: Moment?
    /// When it ended.
    public let endedAt: Moment?
    /// When all bindings were changed.
    public let settledAt: Moment?
    /// What it would cost; in the answer that opened it.
    public let preflight: Preflight?

    enum CodingKeys: String, CodingKey {
        case object, id, program, from, to, mode, cohort, status, why, preflight
        case guardRule = "guard"
        case allowStranded = "allow_stranded"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case advancedAt = "advanced_at"
        case endedAt = "ended_at"
        case settledAt = "settled_at"
    }
}
