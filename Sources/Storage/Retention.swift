/// How long things are kept, in days.
public struct Retention: Sendable, Equatable {
    /// Attempts.
    public var provisionings = 400
    /// Normalised events.
    public var events = 90
    /// Outgoing deliveries.
    public var deliveries = 30
    /// Inbound deliveries.
    public var inbound = 7

    /// The stated defaults.
    public init() {}
}
