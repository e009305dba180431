/// Reads the append-only trail of changes.
public protocol AuditTrail: Sendable {
    /// The program's entries after the one with that sequence, the oldest first.
    ///
    /// - Parameters:
    ///   - program: Whose trail.
    ///   - sequence: The last entry that is known; 0 begins.
    ///   - limit: How many at most.
    func auditEntries(program: String, after sequence: Int64, limit: Int) async throws(StoreFailure)
        -> [StoredAuditEntry]
}
