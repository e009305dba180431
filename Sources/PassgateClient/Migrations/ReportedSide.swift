/// One side of a migration, in numbers.
public struct ReportedSide: Codable, Hashable, Sendable {
    /// Between which shares a rate lies, at 95 %.
    public struct Interval: Codable, Hashable, Sendable {
        /// Its lower end.
        public let low: Double
        /// Its upper end.
        public let high: Double
    }

    /// How often something succeeded.
    public struct Rate: Codable, Hashable, Sendable {
        /// How many were observed.
        public let observed: Int
        /// How many succeeded.
        public let succeeded: Int
        /// The share; nil where nothing was observed.
        public let rate: Double?
        /// How sure it is.
        public let interval: Interval?
    }

    /// How long most took.
    public struct Percentiles: Codable, Hashable, Sendable {
        /// Half took no longer.
        public let p50: Int
        /// All but one in twenty took no longer.
        public let p95: Int
    }

    /// How long it took.
    public struct Latency: Codable, Hashable, Sendable {
        /// Of how many attempts.
        public let sample: Int
        /// What the gateway added.
        public let gateway: Percentiles?
        /// What the processor took.
        public let provider: Percentiles?
    }

    /// How often a problem occurred.
    public struct CodeCount: Codable, Hashable, Sendable {
        /// The problem.
        public let code: ProblemCode
        /// How often.
        public let count: Int
    }

    /// The connection.
    public let connection: String
    /// The processor; nil where the gateway's configuration has no such connection.
    public let provider: String?
    /// Attempts.
    public let attempts: Int
    /// Attempts with a handoff.
    public let handedOff: Int
    /// How many more were turned away at once because the processor had failed repeatedly.
    public let leftAlone: Int
    /// How many attempts brought a handoff.
    public let handoff: Rate
    /// How many of those came into the wallet.
    public let activation: Rate
    /// How long it took, in milliseconds.
    public let latencyMs: Latency
    /// The problems, the most frequent first.
    public let topCodes: [CodeCount]

    enum CodingKeys: String, CodingKey {
        case connection, provider, attempts, handoff, activation
        case handedOff = "handed_off"
        case leftAlone = "left_alone"
        case latencyMs = "latency_ms"
        case topCodes = "top_codes"
    }
}
