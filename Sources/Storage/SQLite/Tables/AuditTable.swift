import Provisioning
import SQLite

/// The append-only trail of changes, a chain for each program.
struct AuditTable {
    let connection: Connection
    let chain: AuditChain

    /// Appends a change of a card within the transaction that makes it.
    func append(
        _ action: String, on card: CardKey, by actor: AuditActor, at: Timestamp, before: [AuditMember],
        after: [AuditMember]
    ) throws {
        try append(action, on: card.id, of: card.program, by: actor, at: at, before: before, after: after)
    }

    /// Appends a change within the transaction that makes it.
    func append(
        _ action: String, on subject: String, of program: String, by actor: AuditActor, at: Timestamp,
        before: [AuditMember], after: [AuditMember]
    ) throws {
        let last = try connection.first(
            "SELECT sequence, digest FROM audit WHERE program = ? ORDER BY sequence DESC LIMIT 1",
            .text(program)
        ) { (sequence: $0.integer(0), digest: $0.bytes(1)) }
        let entry = chain.link(
            StoredAuditEntry(
                program: program, sequence: (last?.sequence ?? 0) + 1, at: at, actor: actor.name,
                action: action, subject: subject, before: before, after: after, digest: []),
            after: last?.digest ?? AuditChain.origin)
        try connection.run(
            """
            INSERT INTO audit (program, sequence, at, actor, action, subject, before, after, digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(entry.program), .integer(entry.sequence), .integer(entry.at.milliseconds), .text(entry.actor),
            .text(entry.action), .text(entry.subject), .bytes(entry.before.packed), .bytes(entry.after.packed),
            .bytes(entry.digest))
    }

    /// The last entry of every program's trail, found without reading the others.
    func heads() throws -> [AuditHead] {
        try connection.all(
            """
            WITH RECURSIVE trail (program) AS (
                SELECT MIN(program) FROM audit
                UNION ALL
                SELECT (SELECT MIN(program) FROM audit WHERE program > trail.program) FROM trail
                WHERE trail.program IS NOT NULL
            )
            SELECT audit.program, sequence, digest FROM trail JOIN audit ON audit.program = trail.program
            AND sequence = (SELECT MAX(sequence) FROM audit WHERE program = trail.program)
            """
        ) { AuditHead(program: $0.text(0), sequence: $0.integer(1), digest: $0.bytes(2)) }
    }

    /// A program's entries after one, the oldest first.
    func entries(program: String, after sequence: Int64, limit: Int) throws -> [StoredAuditEntry] {
        try connection.all(
            """
            SELECT sequence, at, actor, action, subject, before, after, digest FROM audit
            WHERE program = ? AND sequence > ? ORDER BY sequence LIMIT ?
            """, .text(program), .integer(sequence), .integer(Int64(max(limit, 0)))
        ) { try Self.decode($0, program: program) }
    }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R, program: String) throws -> StoredAuditEntry {
        StoredAuditEntry(
            program: program, sequence: row.integer(0), at: Timestamp(milliseconds: row.integer(1)), actor: row.text(2),
            action: row.text(3), subject: row.text(4), before: [AuditMember](found: row.bytes(5)),
            after: [AuditMember](found: row.bytes(6)), digest: row.bytes(7))
    }
}
