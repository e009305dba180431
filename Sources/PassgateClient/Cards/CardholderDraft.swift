/// Whose card it is.
public struct CardholderDraft: Codable, Hashable, Sendable {
    /// The platform's id.
    public var id: String
    /// The name on the card.
    public var name: String

    /// Makes it of its members.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
