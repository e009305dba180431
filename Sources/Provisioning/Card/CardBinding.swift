/// Which card at a processor a platform's card stands for.
public struct CardBinding: Sendable, Hashable {
    /// The name of the connection (one set of credentials at one provider) in the configuration.
    public var connection: String
    /// The card's id at the processor. It has matched the descriptor's pattern.
    public var providerCardID: String
    /// The cardholder's id at the processor, where the processor has one.
    public var providerCardholderID: String?
    /// The last four digits of the card number.
    public var last4: String
    /// The card's payment network.
    public var network: CardNetwork
    /// The product id that domestic schemes need at Thales.
    public var productID: String?

    /// Makes a binding of its members.
    public init(
        connection: String, providerCardID: String, providerCardholderID: String? = nil, last4: String,
        network: CardNetwork, productID: String? = nil
    ) {
        self.connection = connection
        self.providerCardID = providerCardID
        self.providerCardholderID = providerCardholderID
        self.last4 = last4
        self.network = network
        self.productID = productID
    }
}
