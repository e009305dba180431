/// An event on its way to a destination.
public struct EventDelivery: Codable, Hashable, Sendable {
    /// One try.
    public struct Attempt: Codable, Hashable, Sendable {
        /// When.
        public let at: Moment
        /// How long it took.
        public let durationMs: Int
        /// What the destination answered.
        public let status: Int?
        /// Why there was no answer, as a word.
        public let failure: String?

        enum CodingKeys: String, CodingKey {
            case at, status, failure
            case durationMs = "duration_ms"
        }
    }

    /// `event_delivery`
    public let object: String
    /// The event.
    public let event: String
    /// The event's type.
    public let type: EventType
    /// The event's card.
    public let card: String?
    /// How far it has come.
    public let status: DeliveryStatus
    /// Since when.
    public let queuedAt: Moment
    /// When it is tried next.
    public let nextAttemptAt: Moment?
    /// The tries.
    public let attempts: [Attempt]

    enum CodingKeys: String, CodingKey {
        case object, event, type, card, status, attempts
        case queuedAt = "queued_at"
        case nextAttemptAt = "next_attempt_at"
    }
}
