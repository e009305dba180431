/// What the migration in force in a card's program means for the card.
public struct CardMigration: Sendable, Equatable {
    /// The migration's id.
    public var id: String
    /// What it does with its cohort.
    public var mode: StoredMigration.Mode
    /// The connection that is left.
    public var from: String
    /// The connection that takes over.
    public var to: String
    /// Whether the card is in its cohort.
    public var isInCohort: Bool
    /// Whether `to` has taken over for good, and bindings are still being changed: nobody is served by `from` any more
    /// who has a binding at `to`.
    public var isCompleted: Bool

    /// Makes one of its members.
    public init(
        id: String, mode: StoredMigration.Mode, from: String, to: String, isInCohort: Bool, isCompleted: Bool = false
    ) {
        self.id = id
        self.mode = mode
        self.from = from
        self.to = to
        self.isInCohort = isInCohort
        self.isCompleted = isCompleted
    }
}
