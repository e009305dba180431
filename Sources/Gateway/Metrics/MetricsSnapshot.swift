/// All counts at one moment.
public struct MetricsSnapshot: Sendable, Equatable {
    /// A kind of answer.
    public struct Request: Sendable, Hashable {
        /// The route's template, or `unmatched`.
        public let route: String
        /// The HTTP status; 499 where the caller had gone.
        public let status: Int
    }

    /// A kind of attempt.
    public struct Attempt: Sendable, Hashable {
        /// The provider's id.
        public let provider: String
        /// The wallet.
        public let wallet: String
        /// `handed_off`, or the problem's code.
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

    /// How long calls took.
    public struct Histogram: Sendable, Equatable {
        /// The upper bounds of the buckets, in seconds.
        public static let bounds: [Double] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
        /// How many calls took no longer than the bound at the same place, and longer than the one before.
        public private(set) var buckets = [Int](repeating: 0, count: bounds.count)
        /// How many calls there were.
        public private(set) var count = 0
        /// How long they took in sum, in seconds.
        public private(set) var seconds = 0.0

        mutating func observe(_ duration: Duration) {
            let value = duration / .seconds(1)
            count += 1
            seconds += value
            if let bucket = Self.bounds.firstIndex(where: { value <= $0 }) { buckets[bucket] += 1 }
        }
    }

    /// Answers by route and status.
    public internal(set) var requests: [Request: Int] = [:]
    /// Attempts by provider, wallet and outcome.
    public internal(set) var attempts: [Attempt: Int] = [:]
    /// Deliveries by connection and outcome.
    public internal(set) var deliveries: [Delivery: Int] = [:]
    /// Tries to send events to destinations by outcome: `delivered`, `failed` and to be tried again, `dead` after the last
    /// try, `gone` where the destination wants no more.
    public internal(set) var outgoing: [String: Int] = [:]
    /// Calls upstream by connection.
    public internal(set) var upstream: [String: Histogram] = [:]
    /// Requests that are being answered.
    public internal(set) var inFlight = 0
}
