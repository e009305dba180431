/// What a delivery says, normalised.
public struct WebhookNotice: Sendable, Equatable {
    /// The tokens that it tells of.
    public var tokens: [TokenSighting]
    /// The id of the card that they belong to; nil where it is not told.
    public var providerCardID: String?
    /// As of when it is, by the processor's word; nil where the processor was asked just now.
    public var occurredAt: Timestamp?

    /// Makes a notice of its members.
    public init(tokens: [TokenSighting] = [], providerCardID: String? = nil, occurredAt: Timestamp? = nil) {
        self.tokens = tokens
        self.providerCardID = providerCardID
        self.occurredAt = occurredAt
    }
}
