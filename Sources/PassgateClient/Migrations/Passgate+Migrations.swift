extension Passgate {
    /// Opens a migration. The answer says what it would cost.
    public func openMigration(
        _ draft: MigrationDraft, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Migration {
        try await send(.post("v1", "migrations", body: draft), options)
    }

    /// Lists migrations: all, or those of a status.
    public func migrations(
        status: MigrationStatus? = nil, page: PageRequest = .first, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Page<Migration> {
        try await send(.get("v1", "migrations", query: [("status", status?.rawValue)] + page.query), options)
    }

    /// Reads a migration.
    public func migration(_ id: String, _ options: CallOptions = .standard) async throws(PassgateError) -> Migration {
        try await send(.get("v1", "migrations", id), options)
    }

    /// Lets a cohort grow.
    public func advanceMigration(
        _ id: String, to cohort: Cohort, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Migration {
        try await send(.post("v1", "migrations", id, "advance", body: ["cohort": cohort]), options)
    }

    /// Freezes a cohort; nobody moves.
    public func pauseMigration(
        _ id: String, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Migration {
        try await send(.post("v1", "migrations", id, "pause"), options)
    }

    /// Lets a frozen cohort grow again.
    public func resumeMigration(
        _ id: String, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Migration {
        try await send(.post("v1", "migrations", id, "resume"), options)
    }

    /// Takes a migration back, in one step.
    public func rollBackMigration(
        _ id: String, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Migration {
        try await send(.post("v1", "migrations", id, "rollback"), options)
    }

    /// Has the new side take over for good.
    public func completeMigration(
        _ id: String, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Migration {
        try await send(.post("v1", "migrations", id, "complete"), options)
    }

    /// Tells how a migration goes.
    public func migrationReport(
        _ id: String, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> MigrationReport {
        try await send(.get("v1", "migrations", id, "report"), options)
    }
}
