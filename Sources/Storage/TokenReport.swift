public import Provisioning

/// What a processor says of one card's tokens.
public struct TokenReport: Sendable {
    /// The card.
    public var card: CardKey
    /// The connection.
    public var connection: String
    /// The card's id at the processor that the tokens belong to.
    public var providerCardID: String
    /// Who made the processor say it: `probe` or `webhook`.
    public var source: StoredSettlement.Source
    /// The tokens.
    public var tokens: [TokenSighting]
    /// As of when it is, by the processor's word or, of an answer, when it was asked for.
    public var observedAt: Timestamp
    /// When it came.
    public var receivedAt: Timestamp

    /// Makes a report of its members.
    public init(
        card: CardKey, connection: String, providerCardID: String, source: StoredSettlement.Source,
        tokens: [TokenSighting], observedAt: Timestamp, receivedAt: Timestamp
    ) {
        self.card = card
        self.connection = connection
        self.providerCardID = providerCardID
        self.source = source
        self.tokens = tokens
        self.observedAt = observedAt
        self.receivedAt = receivedAt
    }
}
