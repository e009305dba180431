public import Provisioning

extension PostgreSQLStore: APIKeyStore {
    /// Adds a key. False where a key in force has its name.
    public func add(_ key: StoredAPIKey, audit: AuditActor) async throws(StoreFailure) -> Bool {
        try await change(repeatsTaken: true) { try await $0.add(key, by: audit) }
    }

    /// Revokes the key in force that has that id, or else that name. Nil where there is none.
    public func revokeAPIKey(_ idOrName: String, at now: Timestamp, audit: AuditActor) async throws(StoreFailure)
        -> StoredAPIKey?
    {
        try await change(repeatsTaken: true) { try await $0.revokeAPIKey(idOrName, at: now, by: audit) }
    }

    /// Every key; nil where none was added or revoked since that generation.
    public func apiKeys(changedSince generation: Int64?) async throws(StoreFailure) -> StoredAPIKeys? {
        try await read { try await $0.apiKeys(changedSince: generation) }
    }
}
