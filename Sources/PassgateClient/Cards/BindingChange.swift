/// A binding at a connection that the path names.
public struct BindingChange: Codable, Hashable, Sendable {
    /// The card's id at the processor.
    public var providerCardID: String
    /// The last four digits.
    public var last4: String
    /// The network.
    public var network: String
    /// What it is to be used for.
    public var state: BindingState
    /// The cardholder's id at the processor, where it is known.
    public var providerCardholderID: String?
    /// The product id that domestic schemes need.
    public var productID: String?

    /// Makes it of its members.
    public init(
        providerCardID: String, last4: String, network: String, state: BindingState,
        providerCardholderID: String? = nil, productID: String? = nil
    ) {
        self.providerCardID = providerCardID
        self.last4 = last4
        self.network = network
        self.state = state
        self.providerCardholderID = providerCardholderID
        self.productID = productID
    }

    enum CodingKeys: String, CodingKey {
        case last4, network, state
        case providerCardID = "provider_card_id"
        case providerCardholderID = "provider_cardholder_id"
        case productID = "product_id"
    }
}
