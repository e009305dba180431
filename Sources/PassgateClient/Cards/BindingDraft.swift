/// A card at a processor, to be registered.
public struct BindingDraft: Codable, Hashable, Sendable {
    /// The connection.
    public var connection: String
    /// The card's id at the processor.
    public var providerCardID: String
    /// The last four digits.
    public var last4: String
    /// The network: `visa`, `mastercard`, `amex`, `discover`, or a domestic scheme.
    public var network: String
    /// The cardholder's id at the processor, where it is known.
    public var providerCardholderID: String?
    /// The product id that domestic schemes need.
    public var productID: String?

    /// Makes it of its members.
    public init(
        connection: String, providerCardID: String, last4: String, network: String, providerCardholderID: String? = nil,
        productID: String? = nil
    ) {
        self.connection = connection
        self.providerCardID = providerCardID
        self.last4 = last4
        self.network = network
        self.providerCardholderID = providerCardholderID
        self.productID = productID
    }

    enum CodingKeys: String, CodingKey {
        case connection, last4, network
        case providerCardID = "provider_card_id"
        case providerCardholderID = "provider_cardholder_id"
        case productID = "product_id"
    }
}
