public import Provisioning

/// A token as it is kept: what the processor said of it last.
public struct StoredToken: Sendable, Equatable {
    /// Our id of it, `tok_…`.
    public var id: String
    /// The card that it belongs to.
    public var card: CardKey
    /// The provider's id, such as `stripe`.
    public var provider: String
    /// The connection that tells of it.
    public var connection: String
    /// The card's id at the processor that it belongs to.
    public var providerCardID: String
    /// The processor's last word of it; `createdAt` is the first one that was told.
    public var sighting: TokenSighting
    /// As of when that word is, in the processor's time and cut to its precision.
    public var observedAt: Timestamp
    /// When it was first heard of.
    public var createdAt: Timestamp
    /// When it was last changed here.
    public var updatedAt: Timestamp
    /// The attempt that it came from; nil where none is known.
    public var provisioning: String?

    /// Makes a token of its members.
    public init(
        id: String, card: CardKey, provider: String, connection: String, providerCardID: String,
        sighting: TokenSighting, observedAt: Timestamp, createdAt: Timestamp, updatedAt: Timestamp,
        provisioning: String? = nil
    ) {
        self.id = id
        self.card = card
        self.provider = provider
        self.connection = connection
        self.providerCardID = providerCardID
        self.sighting = sighting
        self.observedAt = observedAt
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.provisioning = provisioning
    }
}

/// Which tokens are wanted.
public struct TokenQuery: Sendable {
    /// The card.
    public var card: CardKey
    /// Where the page begins.
    public var page: PageRequest

    /// Makes a query of its members.
    public init(card: CardKey, page: PageRequest) {
        self.card = card
        self.page = page
    }
}
