import Provisioning
import SQLite

/// The idempotency keys of the last 24 hours.
struct IdempotencyTable {
    let connection: Connection

    /// What is kept under a key, whether it has outlived its time or not.
    func use(of key: IdempotencyKey) throws -> IdempotencyRecord? {
        try connection.first(
            """
            SELECT fingerprint, ending, first_used_at, deadline_at, provisioning, upstream_key, upstream_key_at
            FROM idempotency WHERE program = ? AND route = ? AND key = ?
            """, .text(key.program), .text(key.route), .text(key.key), as: Self.decode)
    }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) throws -> IdempotencyRecord {
        IdempotencyRecord(
            fingerprint: row.bytes(0), ending: try row.optionalBytes(1).map(IdempotencyEnding.init(packed:)),
            firstUsedAt: Timestamp(milliseconds: row.integer(2)),
            deadlineAt: row.optionalInteger(3).map(Timestamp.init(milliseconds:)), provisioning: row.optionalText(4),
            upstreamKey: row.optionalText(5).map { text in
                UpstreamKey(text: text, madeAt: Timestamp(milliseconds: row.integer(6)))
            })
    }

    /// Writes that a key is in use, over whatever was kept under it.
    func begin(
        _ claim: IdempotencyClaim, provisioning: String?, firstUsedAt: Timestamp, deadlineAt: Timestamp
    ) throws {
        let key = claim.key
        try connection.run(
            """
            INSERT INTO idempotency (program, route, key, fingerprint, provisioning, first_used_at, deadline_at,
                upstream_key, upstream_key_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (program, route, key) DO UPDATE SET fingerprint = excluded.fingerprint,
                provisioning = excluded.provisioning, first_used_at = excluded.first_used_at,
                deadline_at = excluded.deadline_at, upstream_key = excluded.upstream_key,
                upstream_key_at = excluded.upstream_key_at, ending = NULL
            """, .text(key.program), .text(key.route), .text(key.key), .bytes(claim.fingerprint),
            .text(orNull: provisioning), .integer(firstUsedAt.milliseconds), .integer(deadlineAt.milliseconds),
            .text(orNull: claim.upstreamKey?.text), .integer(orNull: claim.upstreamKey?.madeAt.milliseconds))
    }

    /// Keeps how the request ended, unless the key has come to another attempt since.
    func end(_ key: IdempotencyKey, as ending: IdempotencyEnding, provisioning: String?) throws {
        try connection.run(
            """
            UPDATE idempotency SET ending = ?, deadline_at = NULL
            WHERE program = ? AND route = ? AND key = ? AND provisioning IS ?
            """, .bytes(ending.packed), .text(key.program), .text(key.route), .text(key.key),
            .text(orNull: provisioning))
    }

    /// Forgets some that have outlived their time, the oldest first, and answers how many.
    func dropExpired(at now: Timestamp, atMost limit: Int) throws -> Int {
        let oldest = now.adding(milliseconds: -IdempotencyRecord.lifetimeMilliseconds)
        return try connection.run(
            """
            DELETE FROM idempotency WHERE first_used_at <= ?1 AND (deadline_at IS NULL OR deadline_at < ?2)
            AND number IN (SELECT number FROM idempotency ORDER BY number LIMIT ?3)
            """, .integer(oldest.milliseconds),
            .integer(now.adding(milliseconds: -IdempotencyRecord.graceMilliseconds).milliseconds),
            .integer(Int64(limit)))
    }
}
