public import Provisioning

/// A card at an emulated processor, as a platform would bind it.
public struct EmulatedCard: Sendable, Hashable {
    /// The card's id at the processor.
    public let id: String
    /// The cardholder's id at the processor, where the processor has one.
    public let cardholderID: String?
    /// The last four digits.
    public let last4: String
    /// The card's network.
    public let network: CardNetwork

    /// Makes a card of its members.
    public init(id: String, cardholderID: String? = nil, last4: String, network: CardNetwork) {
        self.id = id
        self.cardholderID = cardholderID
        self.last4 = last4
        self.network = network
    }
}
