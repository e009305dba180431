public import PassgateContract

/// A card as the gateway knows it.
public struct Card: Codable, Hashable, Sendable {
    /// `card`
    public let object: String
    /// The platform's id.
    public let id: String
    /// The program.
    public let program: String
    /// Whose it is.
    public let cardholder: Cardholder
    /// What it is called.
    public let title: String?
    /// Where its picture is.
    public let artURL: String?
    /// The platform's own members.
    public let metadata: [String: JSONValue]?
    /// The card at its processors.
    public let bindings: [CardBinding]
    /// The connection that serves its next attempt.
    public let serving: String?
    /// When it was registered.
    public let createdAt: Moment
    /// When it last changed.
    public let updatedAt: Moment

    enum CodingKeys: String, CodingKey {
        case object, id, program, cardholder, title, metadata, bindings, serving
        case artURL = "art_url"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
