import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Takes a program's trail for this transaction, and asks for its last entry. Send before appending.
    func openTrail(of program: String) {
        lock(.trail(program))
        trails[program] = sql.ask(
            "SELECT sequence, digest FROM audit WHERE program = $1 ORDER BY sequence DESC LIMIT 1", .text(program)
        ) { ($0.integer(0), $0.bytes(1)) }
    }

    /// Appends a change of a card to its program's trail, which was opened.
    func append(
        _ action: String, on card: CardKey, by actor: AuditActor, at: Timestamp, before: [AuditMember],
        after: [AuditMember]
    ) {
        append(action, on: card.id, of: card.program, by: actor, at: at, before: before, after: after)
    }

    /// Appends a change to its program's trail, which was opened.
    func append(
        _ action: String, on subject: String, of program: String, by actor: AuditActor, at: Timestamp,
        before: [AuditMember], after: [AuditMember]
    ) {
        let last = lastEntries[program] ?? trails[program]?.first
        let entry = chain.link(
            StoredAuditEntry(
                program: program, sequence: (last?.sequence ?? 0) + 1, at: at, actor: actor.name, action: action,
                subject: subject, before: before, after: after, digest: []),
            after: last?.digest ?? AuditChain.origin)
        lastEntries[program] = (entry.sequence, entry.digest)
        sql.run(
            """
            INSERT INTO audit (program, sequence, at, actor, action, subject, before, after, digest)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """, .text(entry.program), .integer(entry.sequence), .integer(entry.at.milliseconds), .text(entry.actor),
            .text(entry.action), .text(entry.subject), .bytes(entry.before.packed), .bytes(entry.after.packed),
            .bytes(entry.digest))
    }

    /// The last entry of every program's trail, found without reading the others.
    func auditHeads() async throws -> [AuditHead] {
        try await sql.all(
            """
            WITH RECURSIVE trail (program) AS (
                SELECT min(program) FROM audit
                UNION ALL
                SELECT (SELECT min(program) FROM audit WHERE program > trail.program) FROM trail
                WHERE trail.program IS NOT NULL
            )
            SELECT audit.program, sequence, digest FROM trail JOIN audit ON audit.program = trail.program
            AND sequence = (SELECT max(sequence) FROM audit WHERE program = trail.program)
            ORDER BY audit.program COLLATE "C"
            """
        ) { AuditHead(program: $0.text(0), sequence: $0.integer(1), digest: $0.bytes(2)) }
    }

    /// A program's entries after one, the oldest first.
    func auditEntries(program: String, after sequence: Int64, limit: Int) async throws -> [StoredAuditEntry] {
        try await sql.all(
            """
            SELECT sequence, at, actor, action, subject, before, after, digest FROM audit
            WHERE program = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
            """, .text(program), .integer(sequence), .integer(Int64(max(limit, 0)))
        ) { try AuditTable.decode($0, program: program) }
    }
}
