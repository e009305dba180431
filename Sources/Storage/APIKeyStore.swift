public import Provisioning

/// Keeps API keys that were made by a command, beside those of the configuration. Acknowledged means durable, and every
/// change is in the audit trail of each program that the key is confined to, or in that of all programs.
public protocol APIKeyStore: Sendable {
    /// Adds a key. False where a key in force has its name.
    func add(_ key: StoredAPIKey, audit: AuditActor) async throws(StoreFailure) -> Bool

    /// Revokes the key in force that has that id, or else that name.
    ///
    /// - Returns: The key as it is then; nil where there is none.
    func revokeAPIKey(_ idOrName: String, at now: Timestamp, audit: AuditActor) async throws(StoreFailure)
        -> StoredAPIKey?

    /// Every key; nil where none was added or revoked since that generation. To be asked often: nil costs one row.
    func apiKeys(changedSince generation: Int64?) async throws(StoreFailure) -> StoredAPIKeys?
}

/// All that a gateway asks of a store.
public typealias GatewayStore = APIKeyStore & AuditTrail & Store
