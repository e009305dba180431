/// Which part of a list is wanted.
public struct PageRequest: Sendable, Equatable {
    /// How many at most, 1 to 100.
    public var limit: Int
    /// The cursor that the page before gave; nil begins.
    public var cursor: String?

    /// Makes a request of its members.
    public init(limit: Int = 20, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// A part of a list.
public struct Page<Element: Sendable>: Sendable {
    /// The elements, in the list's order.
    public var elements: [Element]
    /// Where the next page begins; nil on the last. Opaque, and good for the same query only.
    public var nextCursor: String?

    /// Makes a page of its members.
    public init(elements: [Element], nextCursor: String?) {
        self.elements = elements
        self.nextCursor = nextCursor
    }
}
