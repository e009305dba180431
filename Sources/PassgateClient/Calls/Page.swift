/// A part of a list.
public struct Page<Element: Codable & Sendable>: Codable, Sendable {
    /// `list`
    public let object: String
    /// Its elements.
    public let data: [Element]
    /// Where the next part begins; nil where there is none.
    public let nextCursor: String?

    enum CodingKeys: String, CodingKey {
        case object, data
        case nextCursor = "next_cursor"
    }
}
