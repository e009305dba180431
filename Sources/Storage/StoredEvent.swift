public import Provisioning

/// A normalised event as it is kept. No secret is in it, and no personal member.
public struct StoredEvent: Sendable, Equatable {
    /// A member of what the event tells.
    public struct Member: Sendable, Equatable {
        /// The member's name.
        public var name: String
        /// Its value; nil is null.
        public var value: String?

        /// Makes a member.
        public init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The id, `evt_…`.
    public var id: String
    /// The card that it is about.
    public var card: CardKey
    /// Its place among the card's events, from 1.
    public var sequence: Int64
    /// The type, such as `token.active`.
    public var type: String
    /// When it was written.
    public var createdAt: Timestamp
    /// What it tells, in order.
    public var members: [Member]

    /// Makes an event of its members.
    public init(
        id: String, card: CardKey, sequence: Int64, type: String, createdAt: Timestamp, members: [Member]
    ) {
        self.id = id
        self.card = card
        self.sequence = sequence
        self.type = type
        self.createdAt = createdAt
        self.members = members
    }
}

/// Which events are wanted.
public struct EventQuery: Sendable {
    /// The program.
    public var program: String
    /// Only events of this card.
    public var card: String?
    /// Only events of this type; a family is `token.*`.
    public var type: String?
    /// Only events that were written after this one, by its id.
    public var after: String?
    /// Where the page begins.
    public var page: PageRequest

    /// Makes a query of its members.
    public init(
        program: String, card: String? = nil, type: String? = nil, after: String? = nil, page: PageRequest
    ) {
        self.program = program
        self.card = card
        self.type = type
        self.after = after
        self.page = page
    }
}
