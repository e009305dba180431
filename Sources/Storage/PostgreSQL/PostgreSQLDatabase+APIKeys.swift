import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Adds a key. False where a key in force has its name.
    func add(_ key: StoredAPIKey, by actor: AuditActor) async throws -> Bool {
        openTrails(of: key)
        if try await keyInForce(key.name) != nil { return false }
        sql.run(
            "INSERT INTO api_key (id, name, digest, scopes, programs, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
            .text(key.id), .text(key.name), .bytes(key.digest), .text(key.scopes.joined(separator: " ")),
            .text(orNull: key.programs?.joined(separator: " ")), .integer(key.createdAt.milliseconds))
        countKeyChange()
        for trail in key.trails {
            append(
                "api_key.created", on: key.id, of: trail, by: actor, at: key.createdAt, before: [],
                after: key.auditMembers)
        }
        return true
    }

    /// Revokes the key in force that has that id, or else that name. Nil where there is none.
    func revokeAPIKey(_ idOrName: String, at now: Timestamp, by actor: AuditActor) async throws -> StoredAPIKey? {
        // Whose trails tell of it is known once it is found; then it is looked for again, when nobody else can change it.
        guard let found = try await keyInForce(idOrName) else { return nil }
        openTrails(of: found)
        guard var key = try await keyInForce(found.id) else { return nil }
        key.revokedAt = now
        sql.run("UPDATE api_key SET revoked_at = $1 WHERE id = $2", .integer(now.milliseconds), .text(key.id))
        countKeyChange()
        for trail in key.trails {
            append("api_key.revoked", on: key.id, of: trail, by: actor, at: now, before: key.auditMembers, after: [])
        }
        return key
    }

    /// Every key, unless none was added or revoked since.
    func apiKeys(changedSince known: Int64?) async throws -> StoredAPIKeys? {
        // The number first: keys that change in between are newer than it, and found again.
        let found = try await sql.first("SELECT generation FROM api_key_generation") { $0.integer(0) }
        guard let generation = found, generation != known else { return nil }
        return StoredAPIKeys(
            generation: generation,
            keys: try await sql.all("SELECT * FROM api_key ORDER BY number") { APIKeyTable.decode($0) })
    }

    /// The key in force with that id, or else with that name.
    private func keyInForce(_ idOrName: String) async throws -> StoredAPIKey? {
        try await sql.first(
            """
            SELECT * FROM api_key WHERE revoked_at IS NULL AND (id = $1 OR name = $1) ORDER BY (id = $1) DESC LIMIT 1
            """, .text(idOrName)
        ) { APIKeyTable.decode($0) }
    }

    /// Takes the trails that tell of a key, in one order for all transactions, and then all keys.
    private func openTrails(of key: StoredAPIKey) {
        for trail in Set(key.trails).sorted() { openTrail(of: trail) }
        sql.run("SELECT FROM api_key_generation FOR UPDATE")
    }

    private func countKeyChange() { sql.run("UPDATE api_key_generation SET generation = generation + 1") }
}
