public import Provisioning

/// How the attempts of a program went, added up.
public struct AttemptOverview: Sendable, Equatable {
    /// How far the attempts of one connection came with one wallet.
    public struct Funnel: Sendable, Equatable {
        /// The provider's id.
        public var provider: String
        /// The connection.
        public var connection: String
        /// The wallet.
        public var wallet: Wallet
        /// All attempts.
        public var attempted: Int
        /// Those whose handoff reached its caller.
        public var handedOff: Int
        /// Those of which a token was seen, or whose device said that it added the card.
        public var tokens: Int
        /// Those whose token is, or was, active.
        public var active: Int
        /// Those of which nobody knows what became of them, yet.
        public var unknown: Int
        /// Those that failed before their handoff.
        public var failed: Int

        /// Makes a funnel of its members.
        public init(
            provider: String, connection: String, wallet: Wallet, attempted: Int, handedOff: Int, tokens: Int,
            active: Int, unknown: Int, failed: Int
        ) {
            self.provider = provider
            self.connection = connection
            self.wallet = wallet
            self.attempted = attempted
            self.handedOff = handedOff
            self.tokens = tokens
            self.active = active
            self.unknown = unknown
            self.failed = failed
        }
    }

    /// The attempts of one connection that ended in one problem.
    public struct Failures: Sendable, Equatable {
        /// The problem.
        public var code: ProblemCode
        /// The provider's id.
        public var provider: String
        /// The connection.
        public var connection: String
        /// How many there are.
        public var count: Int
        /// The newest of them: its id.
        public var latest: String
        /// When that began.
        public var latestAt: Timestamp

        /// Makes one of its members.
        public init(
            code: ProblemCode, provider: String, connection: String, count: Int, latest: String, latestAt: Timestamp
        ) {
            self.code = code
            self.provider = provider
            self.connection = connection
            self.count = count
            self.latest = latest
            self.latestAt = latestAt
        }
    }

    /// By connection and wallet, in the order of their names.
    public var funnels: [Funnel]
    /// By problem and connection, the most frequent first.
    public var failures: [Failures]
    /// Whether all attempts since the query's moment are counted; else the newest are.
    public var isWhole: Bool

    /// Makes an overview of its members.
    public init(funnels: [Funnel], failures: [Failures], isWhole: Bool) {
        self.funnels = funnels
        self.failures = failures
        self.isWhole = isWhole
    }
}
