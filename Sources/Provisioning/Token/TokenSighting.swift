/// A token as a processor tells of it.
public struct TokenSighting: Sendable, Equatable {
    /// The token's id at the processor.
    public var id: String
    /// What it can do.
    public var status: TokenStatus
    /// The processor's own word for that.
    public var rawStatus: String
    /// The wallet it is in; nil for a merchant's token or a wallet that nobody here knows.
    public var wallet: Wallet?
    /// When it was created, cut to the processor's precision; nil where the processor does not say.
    public var createdAt: Timestamp?
    /// The processor's precision in milliseconds: 1 or 1000.
    public var precisionMilliseconds: Int64
    /// The id of the card it belongs to; nil where the processor does not say. A replaced card's tokens may move.
    public var providerCardID: String?
    /// The last four digits of the device account number.
    public var last4: String?
    /// The network's own reference of the token.
    public var networkReference: String?
    /// The device it is on.
    public var device: TokenDevice?

    /// Makes a sighting of its members.
    public init(
        id: String, status: TokenStatus, rawStatus: String, wallet: Wallet?, createdAt: Timestamp?,
        precisionMilliseconds: Int64, providerCardID: String? = nil, last4: String? = nil,
        networkReference: String? = nil, device: TokenDevice? = nil
    ) {
        self.id = id
        self.status = status
        self.rawStatus = rawStatus
        self.wallet = wallet
        self.createdAt = createdAt
        self.precisionMilliseconds = precisionMilliseconds
        self.providerCardID = providerCardID
        self.last4 = last4
        self.networkReference = networkReference
        self.device = device
    }

    /// The moment without what the processor's clock does not show.
    public func cut(_ moment: Timestamp) -> Timestamp {
        guard precisionMilliseconds > 1 else { return moment }
        let rest = moment.milliseconds % precisionMilliseconds
        return moment.adding(milliseconds: rest < 0 ? -rest - precisionMilliseconds : -rest)
    }
}
