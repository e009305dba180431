public import Provisioning

/// A wish for deliveries that are due to be sent.
public struct OutgoingClaim: Sendable {
    /// The moment.
    public var now: Timestamp
    /// The instance that will send them.
    public var holder: String
    /// Until when no other instance sends them.
    public var leaseUntil: Timestamp
    /// How many at most.
    public var limit: Int
    /// How many may be under way to one destination, by all instances.
    public var limitPerDestination: Int

    /// Makes a claim of its members.
    public init(now: Timestamp, holder: String, leaseUntil: Timestamp, limit: Int, limitPerDestination: Int) {
        self.now = now
        self.holder = holder
        self.leaseUntil = leaseUntil
        self.limit = limit
        self.limitPerDestination = limitPerDestination
    }
}

/// A delivery to be sent, which this instance holds.
public struct OutgoingDelivery: Sendable, Equatable {
    /// The delivery's number.
    public var number: Int64
    /// Where it goes.
    public var destination: StoredDestination
    /// What it tells.
    public var event: StoredEvent
    /// How often it was tried since it was queued.
    public var tries: Int

    /// Makes a delivery of its members.
    public init(number: Int64, destination: StoredDestination, event: StoredEvent, tries: Int) {
        self.number = number
        self.destination = destination
        self.event = event
        self.tries = tries
    }
}

/// How a try ended.
public struct OutgoingEnd: Sendable, Equatable {
    /// What came of it.
    public enum Outcome: Sendable, Equatable {
        /// The destination has the event.
        case delivered
        /// It is to be tried again.
        case again(at: Timestamp)
        /// It is tried no more.
        case dead
        /// The destination wants no more: nothing that waits for it is tried again, and nothing new is queued.
        case gone
        /// It was not tried, and is due as it was.
        case untouched
    }

    /// The delivery's number.
    public var number: Int64
    /// The instance that claimed it. If another has it by now, nothing changes.
    public var holder: String
    /// The moment.
    public var at: Timestamp
    /// What came of it.
    public var outcome: Outcome
    /// The try; nil where there was none.
    public var attempt: StoredDelivery.Attempt?

    /// Makes an end of its members.
    public init(
        number: Int64, holder: String, at: Timestamp, outcome: Outcome, attempt: StoredDelivery.Attempt? = nil
    ) {
        self.number = number
        self.holder = holder
        self.at = at
        self.outcome = outcome
        self.attempt = attempt
    }
}
