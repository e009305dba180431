/// A card at one of its processors.
public struct CardBinding: Codable, Hashable, Sendable {
    /// The connection.
    public let connection: String
    /// The processor; nil where the connection is gone.
    public let provider: String?
    /// The card's id at the processor.
    public let providerCardID: String
    /// Ids that were replaced. Their tokens and webhooks are still the card's.
    public let formerIDs: [String]
    /// The cardholder's id at the processor.
    public let providerCardholderID: String?
    /// The last four digits.
    public let last4: String
    /// The network: `visa`, `mastercard`, `amex`, `discover`, or a domestic scheme.
    public let network: String
    /// The product id that domestic schemes need.
    public let productID: String?
    /// What it is used for.
    public let state: BindingState

    enum CodingKeys: String, CodingKey {
        case connection, provider, last4, network, state
        case providerCardID = "provider_card_id"
        case formerIDs = "former_ids"
        case providerCardholderID = "provider_cardholder_id"
        case productID = "product_id"
    }
}
