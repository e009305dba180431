public import Storage

/// A wish to open a migration, checked for form but not yet for sense.
public struct MigrationDraft: Sendable, Equatable {
    /// The program.
    public var program: String
    /// The connection to leave.
    public var from: String
    /// The connection that is to take over.
    public var to: String
    /// What is done with the cohort.
    public var mode: StoredMigration.Mode
    /// Which cards it begins with.
    public var cohort: MigrationStep.Growth
    /// When it is stopped by itself.
    public var `guard`: StoredMigration.Guard?
    /// Whether it may be opened though `to` cannot serve all that `from` does.
    public var allowsStranded: Bool

    /// Makes a draft of its members.
    public init(
        program: String, from: String, to: String, mode: StoredMigration.Mode, cohort: MigrationStep.Growth,
        guard: StoredMigration.Guard?, allowsStranded: Bool
    ) {
        self.program = program
        self.from = from
        self.to = to
        self.mode = mode
        self.cohort = cohort
        self.`guard` = `guard`
        self.allowsStranded = allowsStranded
    }
}
