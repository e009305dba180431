public import Provisioning

/// What of a card an attempt is planned with: who serves it, and whose it is.
public struct ServingCard: Sendable, Equatable {
    /// The binding that serves.
    public var binding: CardBinding
    /// The cardholder's id at the platform.
    public var cardholderID: String
    /// The cardholder's name, as on the card.
    public var cardholderName: String
    /// The card's name for people.
    public var title: String?

    /// What an attempt through that binding takes from a card.
    public init(_ card: StoredCard, through binding: CardBinding) {
        self.init(
            binding: binding, cardholderID: card.cardholderID, cardholderName: card.cardholderName, title: card.title)
    }

    /// Makes one of its members.
    public init(binding: CardBinding, cardholderID: String, cardholderName: String, title: String?) {
        self.binding = binding
        self.cardholderID = cardholderID
        self.cardholderName = cardholderName
        self.title = title
    }
}
