public import Provisioning
public import Storage

/// All counts at one moment.
public struct MetricsSnapshot: Sendable, Equatable {
    /// A kind of answer.
    public struct Request: Sendable, Hashable {
        /// The route's template, or `unmatched`.
        public let route: String
        /// The method, or `OTHER`.
        public let method: String
        /// The HTTP status; 499 where the caller had gone.
        public let status: Int
    }

    /// A kind of attempt.
    public struct Attempt: Sendable, Hashable {
        /// The provider's id.
        public let provider: String
        /// The wallet.
        public let wallet: String
        /// `handed_off`, `caller_left`, or the problem's code.
        public let outcome: String
    }

    /// A kind of delivery that came.
    public struct Delivery: Sendable, Hashable {
        /// The connection.
        public let connection: String
        /// What was done with it: `taken`, `repeated`, `ignored`, `applied`, `unmatched`, `failed`; else why it was not
        /// believed.
        public let outcome: String
    }

    /// A kind of request that was not let through to its processor.
    public struct Refusal: Sendable, Hashable {
        /// The connection.
        public let connection: String
        /// `breaker_open`, `full` or `rate`.
        public let reason: String

        /// Makes one of its members.
        public init(connection: String, reason: String) {
            self.connection = connection
            self.reason = reason
        }
    }

    /// Up to which seconds calls to processors are told apart.
    static let upstreamBounds: [Double] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
    /// Up to which seconds the gateway's own part of a request is told apart.
    static let addedBounds: [Double] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

    /// Answers by route, method and status.
    public internal(set) var requests: [Request: Int] = [:]
    /// How long requests took beside their calls to processors, by route, in seconds.
    public internal(set) var added: [String: Histogram] = [:]
    /// Attempts by provider, wallet and outcome.
    public internal(set) var attempts: [Attempt: Int] = [:]
    /// Attempts of which nobody knew what became of them, when their caller was answered, by provider.
    public internal(set) var unknown: [String: Int] = [:]
    /// Requests that were not let through, by connection and reason.
    public internal(set) var refusals: [Refusal: Int] = [:]
    /// Deliveries by connection and outcome.
    public internal(set) var deliveries: [Delivery: Int] = [:]
    /// Tries to send events to destinations by outcome: `delivered`, `failed` and to be tried again, `dead` after the last
    /// try, `gone` where the destination wants no more.
    public internal(set) var outgoing: [String: Int] = [:]
    /// Calls upstream by connection, in seconds.
    public internal(set) var upstream: [String: Histogram] = [:]
    /// How often a guard stopped a migration, by program.
    public internal(set) var guardStops: [String: Int] = [:]
    /// When the ends of the audit trails were last logged.
    public internal(set) var auditHeadsAt: Timestamp?
    /// Requests that are being answered.
    public internal(set) var inFlight = 0
}
