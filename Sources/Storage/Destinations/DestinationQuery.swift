/// Which destinations are wanted.
public struct DestinationQuery: Sendable {
    /// The program.
    public var program: String
    /// Where the page begins.
    public var page: PageRequest

    /// Makes a query of its members.
    public init(program: String, page: PageRequest) {
        self.program = program
        self.page = page
    }
}

/// Which deliveries of a destination are wanted.
public struct DeliveryQuery: Sendable {
    /// The destination's id.
    public var destination: String
    /// Only deliveries that stand so.
    public var status: StoredDelivery.Status?
    /// Where the page begins.
    public var page: PageRequest

    /// Makes a query of its members.
    public init(destination: String, status: StoredDelivery.Status? = nil, page: PageRequest) {
        self.destination = destination
        self.status = status
        self.page = page
    }
}
