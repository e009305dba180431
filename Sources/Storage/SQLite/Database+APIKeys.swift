import Provisioning

extension Database {
    /// Adds a key. False where a key in force has its name.
    func add(_ key: StoredAPIKey, by actor: AuditActor) throws -> Bool {
        if try apiKeys.inForce(key.name) != nil { return false }
        try apiKeys.insert(key)
        for trail in key.trails {
            try audit.append(
                "api_key.created", on: key.id, of: trail, by: actor, at: key.createdAt, before: [],
                after: key.auditMembers)
        }
        return true
    }

    /// Revokes the key in force that has that id, or else that name. Nil where there is none.
    func revokeAPIKey(_ idOrName: String, at now: Timestamp, by actor: AuditActor) throws -> StoredAPIKey? {
        guard var key = try apiKeys.inForce(idOrName) else { return nil }
        key.revokedAt = now
        try apiKeys.revoke(key.id, at: now)
        for trail in key.trails {
            try audit.append(
                "api_key.revoked", on: key.id, of: trail, by: actor, at: now, before: key.auditMembers, after: [])
        }
        return key
    }
}
