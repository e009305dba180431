public import Storage

/// How many attempts of a migration in force each side has served, and how they went.
public struct MigrationFigures: Sendable, Equatable {
    /// One side.
    public struct Side: Sendable, Equatable {
        /// `from` or `to`.
        public let name: String
        /// The connection.
        public let connection: String
        /// What was observed.
        public let tally: SideTally
        /// What was observed of activations, by tokens or by devices.
        public let activation: StageTally
    }

    /// The migration.
    public let migration: StoredMigration
    /// Both sides.
    public let sides: [Side]
}
