/// Which part of a list is wanted.
public struct PageRequest: Sendable, Hashable {
    /// How many elements, 1 to 100; nil is 20.
    public var limit: Int?
    /// The `nextCursor` of the part before; nil is the beginning.
    public var cursor: String?

    /// Makes a request of its members.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    /// The beginning.
    public static let first = PageRequest()

    var query: [(name: String, value: String?)] { [("limit", limit.map(String.init)), ("cursor", cursor)] }
}
