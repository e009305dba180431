/// A token as a processor lists it.
public struct TokenSighting: Sendable, Equatable {
    /// The token's id at the processor.
    public var id: String
    /// What it can do.
    public var status: TokenStatus
    /// The processor's own word for that.
    public var rawStatus: String
    /// The wallet it is in; nil for a merchant's token or a wallet that nobody here knows.
    public var wallet: Wallet?
    /// When it was created, cut to the processor's precision.
    public var createdAt: Timestamp
    /// The processor's precision in milliseconds: 1 or 1000.
    public var precisionMilliseconds: Int64

    /// Makes a sighting of its members.
    public init(
        id: String, status: TokenStatus, rawStatus: String, wallet: Wallet?, createdAt: Timestamp,
        precisionMilliseconds: Int64
    ) {
        self.id = id
        self.status = status
        self.rawStatus = rawStatus
        self.wallet = wallet
        self.createdAt = createdAt
        self.precisionMilliseconds = precisionMilliseconds
    }
}
