import PostgreSQL
public import Provisioning
public import SecretMemory

/// The database of a PostgreSQL store, for the commands that look after it. It is not waited for long.
public struct PostgreSQLPlace: Sendable {
    private let url: SecretText

    /// A database, whether it is there or not.
    public init(url: SecretText) { self.url = url }

    /// The database as people may read it: its servers and its name.
    public var name: String { PostgreSQLStore.summary(of: url) ?? "PostgreSQL" }

    /// Counts by program and connection how many cards are active where.
    ///
    /// - Throws: Where the database cannot be reached soon, or has no such tables.
    public func activeBindings() async throws(StoreFailure) -> [ActiveBindingCount] {
        try await reading { try await $0.activeBindings() }
    }

    /// The migrations that are in force, of every program.
    ///
    /// - Throws: Where the database cannot be reached soon, or has no such tables.
    public func migrationsInForce() async throws(StoreFailure) -> [StoredMigration] {
        try await reading { try await $0.migrationsInForce() }
    }

    /// The API keys in force; none where the schema is of a version without them.
    ///
    /// - Throws: Where the database cannot be reached soon.
    public func apiKeysInForce() async throws(StoreFailure) -> [StoredAPIKey] {
        try await reading { database in
            if try await PostgreSQLSchema.check(database.sql) < 8 { return [] }
            return try await database.apiKeys(changedSince: nil)?.inForce ?? []
        }
    }

    /// What a migration would do. Changes nothing.
    ///
    /// - Throws: `unavailable` where it cannot be reached; `newerSchema`; `broken` where the schema is another program's.
    public func plan() async throws(StoreFailure) -> SchemaPlan {
        try await reading { SchemaPlan(found: try await PostgreSQLSchema.check($0.sql)) }
    }

    /// Brings the schema to the newest version, in one transaction.
    ///
    /// - Returns: The steps that were taken.
    public func migrate() async throws(StoreFailure) -> SchemaPlan {
        try await connected(PoolSettings()) { SchemaPlan(found: try await PostgreSQLSchema.prepare($0)) }
    }

    /// By how many milliseconds the database's clock is ahead of this machine's; 0 where the difference is less than the
    /// measurement's own error. Changes nothing.
    ///
    /// - Parameter now: Tells this machine's time.
    public func clockOffset(now: @escaping @Sendable () -> Timestamp) async throws(StoreFailure) -> Int64 {
        try await reading { database in
            // Once for the connection, which is not what is measured.
            _ = try await database.time()
            let before = now()
            let theirs = try await database.time()
            return theirs.offset(askedAt: before, answeredAt: now())
        }
    }

    private func reading<Answer: Sendable>(_ body: @escaping @Sendable (PostgreSQLDatabase) async throws -> Answer)
        async throws(StoreFailure) -> Answer
    {
        var settings = PoolSettings()
        settings.connectTimeout = .seconds(2)
        return try await connected(settings) { pool in
            try await pool.read { try await body(PostgreSQLDatabase($0, chain: AuditChain { _ in [] })) }
        }
    }

    private func connected<Answer: Sendable>(
        _ settings: PoolSettings, _ body: (PostgreSQLPool) async throws -> Answer
    ) async throws(StoreFailure) -> Answer {
        guard let address = DatabaseAddress(url: url) else {
            throw .unavailable("The URL is not one that libpq understands.")
        }
        var settings = settings
        settings.connections = 1
        let pool = PostgreSQLPool(address, settings: settings)
        let result: Result<Answer, any Error>
        do {
            result = .success(try await body(pool))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        return try result.mapError { StoreFailure($0) }.get()
    }
}

extension Timestamp {
    /// By how many milliseconds the clock that told this moment is ahead of the one that told when it was asked and when
    /// it had answered; 0 where the difference is less than the measurement's own error.
    func offset(askedAt before: Timestamp, answeredAt after: Timestamp) -> Int64 {
        let error = (after.milliseconds - before.milliseconds) / 2 + 1
        let difference = milliseconds - (before.milliseconds + after.milliseconds) / 2
        return abs(difference) <= error ? 0 : difference
    }
}
