public import Provisioning

/// One event on its way to one destination.
public struct StoredDelivery: Sendable, Equatable {
    /// Where it stands.
    public enum Status: String, Sendable, CaseIterable {
        /// It is tried, now or later.
        case pending
        /// The destination has it.
        case delivered
        /// It is tried no more.
        case dead
    }

    /// One try.
    public struct Attempt: Sendable, Equatable {
        /// When it began.
        public var at: Timestamp
        /// How long it took, in milliseconds.
        public var milliseconds: Int
        /// The HTTP status of the answer; nil where there was none.
        public var status: Int?
        /// Why there was no answer, as a word; nil where there was one.
        public var failure: String?

        /// Makes an attempt of its members.
        public init(at: Timestamp, milliseconds: Int, status: Int?, failure: String?) {
            self.at = at
            self.milliseconds = milliseconds
            self.status = status
            self.failure = failure
        }
    }

    /// The event's id.
    public var event: String
    /// The event's type.
    public var type: String
    /// The card that the event is about; nil where it is about none.
    public var card: String?
    /// Where it stands.
    public var status: Status
    /// The tries since it was last queued, the oldest first.
    public var attempts: [Attempt]
    /// When it was queued.
    public var queuedAt: Timestamp
    /// When it is tried next; nil where it is not.
    public var nextAt: Timestamp?

    /// Makes a delivery of its members.
    public init(
        event: String, type: String, card: String?, status: Status, attempts: [Attempt], queuedAt: Timestamp,
        nextAt: Timestamp?
    ) {
        self.event = event
        self.type = type
        self.card = card
        self.status = status
        self.attempts = attempts
        self.queuedAt = queuedAt
        self.nextAt = nextAt
    }
}
