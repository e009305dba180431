/// Whose card it is.
public struct Cardholder: Codable, Hashable, Sendable {
    /// The platform's id; nil once the card was erased.
    public let id: String?
    /// The name on the card.
    public let name: String?
}
