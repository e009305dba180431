/// A card of an import: a draft with its id.
public struct CardLine: Encodable, Hashable, Sendable {
    /// The platform's id.
    public var id: String
    /// The card.
    public var card: CardDraft

    /// Makes a line of its members.
    public init(id: String, card: CardDraft) {
        self.id = id
        self.card = card
    }

    /// Writes the draft's members, and the id beside them.
    public func encode(to encoder: any Encoder) throws {
        try card.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
    }

    private enum CodingKeys: String, CodingKey {
        case id
    }
}
