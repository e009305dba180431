/// Reads the append-only trail of changes.
public protocol AuditTrail: Sendable {
    /// The program's entries after the one with that sequence, the oldest first.
    ///
    /// - Parameters:
    ///   - program: Whose trail.
    ///   - sequence: The last entry that is known; 0 begins with the first that a trail can have.
    ///   - limit: How many at most.
    func auditEntries(program: String, after sequence: Int64, limit: Int) async throws(StoreFailure)
        -> [StoredAuditEntry]

    /// The last entry of every program's trail, in the order of the programs' names.
    func auditHeads() async throws(StoreFailure) -> [AuditHead]
}

extension AuditTrail {
    /// Reads a program's whole trail, a part at a time, and says what is wrong with it.
    ///
    /// - Parameters:
    ///   - program: Whose trail.
    ///   - chain: The chain with every key that made it.
    ///   - head: An entry that the trail must have, as it was told elsewhere.
    public func verify(program: String, with chain: AuditChain, head: AuditHead? = nil) async throws(StoreFailure)
        -> AuditReport
    {
        var verifier = AuditVerifier(chain, program: program, head: head)
        // Not 0: somebody may have put entries in before the first.
        var last = Int64.min
        while true {
            let entries = try await auditEntries(program: program, after: last, limit: 500)
            for entry in entries { verifier.take(entry) }
            guard let end = entries.last else { return verifier.finish() }
            last = end.sequence
        }
    }
}
