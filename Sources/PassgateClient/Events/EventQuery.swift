/// Which events are wanted.
public struct EventQuery: Sendable, Hashable {
    /// Those of a card.
    public var card: String?
    /// Those of a type, such as `token.active`, or of a family, such as `token.*`.
    public var type: String?
    /// Those behind this event's id.
    public var after: String?

    /// Makes a query of its members.
    public init(card: String? = nil, type: String? = nil, after: String? = nil) {
        self.card = card
        self.type = type
        self.after = after
    }
}
