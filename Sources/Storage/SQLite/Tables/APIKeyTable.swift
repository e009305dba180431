import Provisioning
import SQLite

/// API keys that were made by a command.
struct APIKeyTable {
    let connection: Connection

    /// Adds a key.
    func insert(_ key: StoredAPIKey) throws {
        try connection.run(
            "INSERT INTO api_key (id, name, digest, scopes, programs, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            .text(key.id), .text(key.name), .bytes(key.digest), .text(key.scopes.joined(separator: " ")),
            .text(orNull: key.programs?.joined(separator: " ")), .integer(key.createdAt.milliseconds))
    }

    /// The key in force with that id, or else with that name.
    func inForce(_ idOrName: String) throws -> StoredAPIKey? {
        try connection.first(
            "SELECT * FROM api_key WHERE revoked_at IS NULL AND (id = ?1 OR name = ?1) ORDER BY id = ?1 DESC LIMIT 1",
            .text(idOrName), as: Self.decode)
    }

    /// Ends a key.
    func revoke(_ id: String, at now: Timestamp) throws {
        try connection.run("UPDATE api_key SET revoked_at = ? WHERE id = ?", .integer(now.milliseconds), .text(id))
    }

    /// Every key, unless none was added or revoked since.
    func keys(changedSince known: Int64?) throws -> StoredAPIKeys? {
        let generation = try connection.first("SELECT generation FROM api_key_generation") { $0.integer(0) } ?? 0
        if generation == known { return nil }
        return StoredAPIKeys(
            generation: generation, keys: try connection.all("SELECT * FROM api_key ORDER BY number", as: Self.decode))
    }

    /// A key, from a row with all columns.
    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) -> StoredAPIKey {
        StoredAPIKey(
            id: row.text(1), name: row.text(2), digest: row.bytes(3), scopes: words(row.text(4)),
            programs: row.optionalText(5).map(words), createdAt: Timestamp(milliseconds: row.integer(6)),
            revokedAt: row.optionalInteger(7).map { Timestamp(milliseconds: $0) })
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
