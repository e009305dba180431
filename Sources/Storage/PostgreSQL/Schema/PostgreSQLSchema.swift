import PostgreSQL

/// The versions of the schema, and how a database comes to the newest. They are those of SQLite: the same tables under the
/// same numbers.
enum PostgreSQLSchema {
    /// The statements in order: the first list makes version 1 of an empty schema, each further one the next version.
    static let versions = [
        version0001, version0002, version0003, version0004, version0005, version0006, version0007,
        version0008, version0009,
    ]

    /// The version that this program knows.
    static var version: Int { versions.count }

    /// Brings the schema to the newest version, in one transaction. Several instances may start at once: one of them does
    /// it, and the others wait.
    ///
    /// - Returns: The version that was found.
    /// - Throws: `newerSchema`; `broken` where the schema holds other tables and none of ours.
    @discardableResult
    static func prepare(_ pool: PostgreSQLPool) async throws -> Int {
        try await pool.change { transaction in
            transaction.run(
                "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || $1, 0))", .text(":passgate:schema"))
            let found = try await check(transaction)
            if found == 0 {
                transaction.execute(
                    "CREATE TABLE IF NOT EXISTS passgate_schema (version BIGINT PRIMARY KEY, made_at BIGINT NOT NULL)")
                try await transaction.send()
            }
            for (offset, statements) in versions.enumerated().dropFirst(found) {
                for statement in statements { transaction.execute(statement) }
                transaction.run(
                    """
                    INSERT INTO passgate_schema (version, made_at)
                    VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
                    """, .integer(Int64(offset + 1)))
                // Each statement is checked against what those before it made.
                try await transaction.send()
            }
            return found
        }
    }

    /// The version of the schema; 0 of an empty one. Changes nothing.
    static func check(_ transaction: Transaction) async throws -> Int {
        let names = try await transaction.all(
            "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        ) { $0.text(0) }
        guard names.contains("passgate_schema") else {
            if names.contains("card") || names.contains("provisioning") {
                throw StoreFailure.broken("The database's schema belongs to another program.")
            }
            return 0
        }
        let version = try await transaction.first("SELECT coalesce(max(version), 0) FROM passgate_schema") { row in
            Int(row.integer(0))
        }
        let found = version ?? 0
        if found > self.version { throw StoreFailure.newerSchema(found: found, known: self.version) }
        return found
    }
}
