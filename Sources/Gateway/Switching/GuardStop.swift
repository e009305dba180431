public import Storage

/// That a guard stopped a migration, for the operator.
public struct GuardStop: Sendable, Equatable {
    /// The migration as it is now; ``StoredMigration/why`` says why.
    public let migration: StoredMigration
}
