public import Provisioning

extension SQLiteStore {
    // MARK: Migrations

    /// Opens a migration, unless another of its program is in force.
    public func open(_ migration: StoredMigration, listing cards: [String], audit: AuditActor)
        async throws(StoreFailure) -> OpenMigrationResult
    {
        defer { recent.forgetAll() }
        return try await writer.write { try $0.open(migration, listing: cards, by: audit) }
    }

    /// Takes a step, where the migration allows it.
    public func take(_ step: MigrationStep, audit: AuditActor) async throws(StoreFailure) -> MigrationStepResult {
        defer { recent.forgetAll() }
        return try await writer.write { try $0.take(step, by: audit) }
    }

    /// Changes the bindings of some cards of a completed migration.
    public func settleMigration(at now: Timestamp) async throws(StoreFailure) -> Bool {
        try await writer.write { try $0.settleMigration(at: now) } > 0
    }

    /// The migration of that program and id.
    public func migration(_ id: String, program: String) async throws(StoreFailure) -> StoredMigration? {
        try await readers.read { try $0.migrations.migration(id, program: program)?.element }
    }

    /// The program's migrations, the newest first.
    public func migrations(_ query: MigrationQuery) async throws(StoreFailure) -> Page<StoredMigration> {
        try await readers.read { try $0.migrations.migrations(query) }
    }

    /// How many cards a migration would move.
    public func reach(_ query: MigrationReachQuery) async throws(StoreFailure) -> MigrationReach {
        try await readers.read { try $0.bindings.reach(query) }
    }

    /// Counts an attempt that neither side could serve, for the app build's sake.
    public func countAppCannot(in migration: String, program: String) async throws(StoreFailure) {
        try await writer.write { try $0.migrations.countRefusal(of: migration, program: program) }
    }

    /// The attempts whose app build did not know the routed side's handoff. Nil where there is no such migration.
    public func appCannot(in migration: String, program: String) async throws(StoreFailure) -> AppCannotCount? {
        try await readers.read { try $0.migrations.appCannot(in: migration, program: program) }
    }
}
