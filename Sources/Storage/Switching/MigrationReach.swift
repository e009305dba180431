/// Which cards a migration would be about.
public struct MigrationReachQuery: Sendable {
    /// The program.
    public var program: String
    /// The connection that is left.
    public var from: String
    /// The connection that takes over.
    public var to: String
    /// Only these cards; nil for all of the program.
    public var cards: [String]?

    /// Makes a query of its members.
    public init(program: String, from: String, to: String, cards: [String]? = nil) {
        self.program = program
        self.from = from
        self.to = to
        self.cards = cards
    }
}

/// How many cards a migration would move, and how many it could not.
public struct MigrationReach: Sendable, Equatable {
    /// Cards whose active binding is at `from`.
    public var cards: Int
    /// Those of them that have no usable binding at `to`.
    public var withoutBinding: Int

    /// Makes one of its members.
    public init(cards: Int, withoutBinding: Int) {
        self.cards = cards
        self.withoutBinding = withoutBinding
    }
}

/// How many attempts of a migration named, in `accept`, no handoff of the side that routing gave.
public struct AppCannotCount: Sendable, Equatable {
    /// The other side served them.
    public var served: Int
    /// They were answered `handoff_unsupported_by_app`.
    public var refused: Int

    /// Makes a count of its members.
    public init(served: Int, refused: Int) {
        self.served = served
        self.refused = refused
    }
}
