public import Provisioning

/// A verified webhook on its way into the store.
public struct InboundDelivery: Sendable {
    /// The connection.
    public var connection: String
    /// What tells the event from every other of the connection.
    public var key: String
    /// The processor's word for what happened.
    public var word: String?
    /// When it came.
    public var receivedAt: Timestamp
    /// The body, sealed; nil where there is nothing to read in it.
    public var sealedBody: String?

    /// Makes a delivery of its members.
    public init(connection: String, key: String, word: String?, receivedAt: Timestamp, sealedBody: String?) {
        self.connection = connection
        self.key = key
        self.word = word
        self.receivedAt = receivedAt
        self.sealedBody = sealedBody
    }
}

/// A wish for deliveries that are due to be read.
public struct InboundClaim: Sendable {
    /// The moment.
    public var now: Timestamp
    /// The instance that will read them.
    public var holder: String
    /// Until when no other instance reads them.
    public var leaseUntil: Timestamp
    /// How many at most.
    public var limit: Int
    /// The connections whose deliveries wait.
    public var except: Set<String>

    /// Makes a claim of its members.
    public init(now: Timestamp, holder: String, leaseUntil: Timestamp, limit: Int, except: Set<String> = []) {
        self.now = now
        self.holder = holder
        self.leaseUntil = leaseUntil
        self.limit = limit
        self.except = except
    }
}

/// A delivery to be read, which this instance holds.
public struct ClaimedDelivery: Sendable, Equatable {
    /// The connection.
    public var connection: String
    /// Its key.
    public var key: String
    /// When it came.
    public var receivedAt: Timestamp
    /// The body, sealed.
    public var sealedBody: String
    /// How often it was read in vain.
    public var tries: Int

    /// Makes a delivery of its members.
    public init(connection: String, key: String, receivedAt: Timestamp, sealedBody: String, tries: Int) {
        self.connection = connection
        self.key = key
        self.receivedAt = receivedAt
        self.sealedBody = sealedBody
        self.tries = tries
    }
}

/// How the reading of a delivery ended.
public struct InboundEnd: Sendable, Equatable {
    /// What came of it.
    public enum Outcome: Sendable, Equatable {
        /// It was applied to the tokens that it tells of, or was older than what is known of them.
        case applied
        /// No card here is the one that it is about.
        case unmatched
        /// It tells of no token.
        case irrelevant
        /// It could not be read for as long as it is tried.
        case failed
        /// It is to be read again.
        case again(at: Timestamp, counts: Bool)
    }

    /// The connection.
    public var connection: String
    /// Its key.
    public var key: String
    /// The instance that claimed it. If another has it by now, nothing changes.
    public var holder: String
    /// The moment.
    public var at: Timestamp
    /// What came of it.
    public var outcome: Outcome
    /// The card's id at the processor that it is about.
    public var providerCardID: String?
    /// The id of the token that it is about.
    public var providerTokenID: String?
    /// As of when it is, by the processor's word.
    public var occurredAt: Timestamp?

    /// Makes an end of its members.
    public init(
        connection: String, key: String, holder: String, at: Timestamp, outcome: Outcome,
        providerCardID: String? = nil, providerTokenID: String? = nil, occurredAt: Timestamp? = nil
    ) {
        self.connection = connection
        self.key = key
        self.holder = holder
        self.at = at
        self.outcome = outcome
        self.providerCardID = providerCardID
        self.providerTokenID = providerTokenID
        self.occurredAt = occurredAt
    }
}
