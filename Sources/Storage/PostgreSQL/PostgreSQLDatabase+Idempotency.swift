import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// What is known of a key that a transaction wants: whether the row is its own, and what the row holds.
    struct KeyAnswer {
        let made: Answer<Void>
        let use: Answer<IdempotencyRecord>
    }

    /// Takes a key where nobody has it, and asks for what it holds otherwise. Whoever comes later waits for this
    /// transaction's end.
    func askForKey(
        _ claim: IdempotencyClaim, provisioning: String?, firstUsedAt: Timestamp, deadlineAt: Timestamp
    ) -> KeyAnswer {
        let made = sql.run(
            """
            INSERT INTO idempotency (program, route, key, fingerprint, provisioning, first_used_at, deadline_at,
                upstream_key, upstream_key_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (program, route, key) DO NOTHING
            """, .text(claim.key.program), .text(claim.key.route), .text(claim.key.key), .bytes(claim.fingerprint),
            .text(orNull: provisioning), .integer(firstUsedAt.milliseconds), .integer(deadlineAt.milliseconds),
            .text(orNull: claim.upstreamKey?.text), .integer(orNull: claim.upstreamKey?.madeAt.milliseconds))
        let use = sql.ask(
            """
            SELECT fingerprint, ending, first_used_at, deadline_at, provisioning, upstream_key, upstream_key_at
            FROM idempotency
            WHERE program = $1 AND route = $2 AND key = $3 FOR UPDATE
            """, .text(claim.key.program), .text(claim.key.route), .text(claim.key.key), as: IdempotencyTable.decode)
        return KeyAnswer(made: made, use: use)
    }

    /// Takes the key over where what it holds lets that happen; else what it holds.
    func take(
        _ answer: KeyAnswer, for claim: IdempotencyClaim, provisioning: String?, at now: Timestamp,
        until deadlineAt: Timestamp
    ) -> IdempotencyRecord? {
        if answer.made.count == 1 { return nil }
        var firstUsedAt = now
        if let use = answer.use.first, !use.isFree(at: now) {
            if use != claim.replacing { return use }
            firstUsedAt = use.firstUsedAt
        }
        sql.run(
            """
            INSERT INTO idempotency (program, route, key, fingerprint, provisioning, first_used_at, deadline_at,
                upstream_key, upstream_key_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (program, route, key) DO UPDATE SET fingerprint = excluded.fingerprint,
                provisioning = excluded.provisioning, first_used_at = excluded.first_used_at,
                deadline_at = excluded.deadline_at, upstream_key = excluded.upstream_key,
                upstream_key_at = excluded.upstream_key_at, ending = NULL
            """, .text(claim.key.program), .text(claim.key.route), .text(claim.key.key), .bytes(claim.fingerprint),
            .text(orNull: provisioning), .integer(firstUsedAt.milliseconds), .integer(deadlineAt.milliseconds),
            .text(orNull: claim.upstreamKey?.text), .integer(orNull: claim.upstreamKey?.madeAt.milliseconds))
        return nil
    }

    /// Claims a key for a request that is no attempt; what is kept under it where it is not free.
    func claim(_ claim: IdempotencyClaim, at now: Timestamp) async throws -> IdempotencyRecord? {
        let deadlineAt = now.adding(milliseconds: IdempotencyRecord.claimMilliseconds)
        let answer = askForKey(claim, provisioning: nil, firstUsedAt: now, deadlineAt: deadlineAt)
        try await sql.send()
        return take(answer, for: claim, provisioning: nil, at: now, until: deadlineAt)
    }

    /// Keeps how the request ended, unless the key has come to another attempt since.
    func end(_ key: IdempotencyKey, as ending: IdempotencyEnding, provisioning: String?) {
        sql.run(
            """
            UPDATE idempotency SET ending = $1, deadline_at = NULL
            WHERE program = $2 AND route = $3 AND key = $4 AND provisioning IS NOT DISTINCT FROM $5
            """, .bytes(ending.packed), .text(key.program), .text(key.route), .text(key.key),
            .text(orNull: provisioning))
    }

    /// What is kept under a key, whether it has outlived its time or not.
    func use(of key: IdempotencyKey) async throws -> IdempotencyRecord? {
        try await sql.first(
            """
            SELECT fingerprint, ending, first_used_at, deadline_at, provisioning, upstream_key, upstream_key_at
            FROM idempotency
            WHERE program = $1 AND route = $2 AND key = $3
            """, .text(key.program), .text(key.route), .text(key.key), as: IdempotencyTable.decode)
    }
}
