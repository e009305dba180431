/// How many cards of a program a connection serves, migrations aside.
public struct ActiveBindingCount: Sendable, Equatable {
    /// The program.
    public var program: String
    /// The connection that their active bindings are at.
    public var connection: String
    /// How many.
    public var cards: Int

    /// Makes a count of its members.
    public init(program: String, connection: String, cards: Int) {
        self.program = program
        self.connection = connection
        self.cards = cards
    }
}
