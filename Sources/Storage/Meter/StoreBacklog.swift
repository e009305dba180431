public import Provisioning

/// What waits in a store, and what was given up.
public struct StoreBacklog: Sendable, Equatable {
    /// Nothing is counted further than this.
    public static let limit = 100_000

    /// Deliveries of events that are still to be made.
    public var eventsPending: Int
    /// When the first of them was, or is, due; nil where there is none.
    public var eventsDueAt: Timestamp?
    /// Deliveries of events that were given up.
    public var deadLetters: Int
    /// Destinations that are sent nothing any more.
    public var disabledDestinations: Int
    /// Processors' webhooks that are still to be read.
    public var inboundPending: Int

    /// Makes a backlog of its members.
    public init(
        eventsPending: Int = 0, eventsDueAt: Timestamp? = nil, deadLetters: Int = 0, disabledDestinations: Int = 0,
        inboundPending: Int = 0
    ) {
        self.eventsPending = eventsPending
        self.eventsDueAt = eventsDueAt
        self.deadLetters = deadLetters
        self.disabledDestinations = disabledDestinations
        self.inboundPending = inboundPending
    }
}
