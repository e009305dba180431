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
    /// The program that it belongs to.
    public var program: String
    /// The card that it is about; nil where it is about none.
    public var card: String?
    /// Its place among the card's events, from 1; of one that is about no card, among the program's such events.
    public var sequence: Int64
    /// The type, such as `token.active`.
    public var type: String
    /// When it was written.
    public var createdAt: Timestamp
    /// What it tells, in order.
    public var members: [Member]

    /// Makes an event of its members.
    public init(
        id: String, program: String, card: String?, sequence: Int64, type: String, createdAt: Timestamp,
        members: [Member]
    ) {
        self.id = id
        self.program = program
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
