import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Adds an attempt.
    func insert(_ record: StoredProvisioning) {
        sql.run(
            """
            INSERT INTO provisioning (id, program, card, provider, connection, provider_card_id, wallet, channel,
                origin, handoff, status, created_at, updated_at, deadline_at, sent_at, expires_at, failure, attempts,
                notes, timeline, handoff_bytes, handoff_digest, instance, migration, detour)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                $22, $23, $24, $25)
            """, .text(record.id), .text(record.card.program), .text(record.card.id), .text(record.provider),
            .text(record.connection), .text(record.providerCardID), .text(record.wallet.rawValue),
            .text(record.channel.rawValue), .text(record.origin.rawValue), .text(record.handoffType.rawValue),
            .text(record.status.rawValue), .integer(record.createdAt.milliseconds),
            .integer(record.updatedAt.milliseconds), .integer(record.deadlineAt.milliseconds),
            .integer(orNull: record.sentAt?.milliseconds), .integer(orNull: record.expiresAt?.milliseconds),
            .bytes(orNull: record.failure?.packed), .integer(Int64(record.attempts)), .bytes(record.packedNotes),
            .bytes(record.timeline.packed), .integer(orNull: record.handoffBytes.map(Int64.init)),
            .bytes(orNull: record.handoffDigest), .text(record.instance), .text(orNull: record.migration),
            .text(orNull: record.detour?.rawValue))
    }

    /// Writes what may change of an attempt. With `onlyWhileSending`, nothing where it does not read `sending` any
    /// more.
    @discardableResult
    func update(_ record: StoredProvisioning, onlyWhileSending: Bool) -> Answer<Void> {
        let verdict = record.verdict
        return sql.run(
            """
            UPDATE provisioning SET status = $1, updated_at = $2, sent_at = $3, expires_at = $4, failure = $5,
                attempts = $6, notes = $7, timeline = $8, handoff_bytes = $9, handoff_digest = $10, delivered_at = $11,
                settled_by = $12, settled_at = $13, is_ambiguous = $14, token_seen_at = $15, follow_up_at = $16,
                follow_ups = $17, is_handed_off = $18, is_active = $19, is_added = $20
            WHERE id = $21 AND program = $22 AND (status = 'sending' OR $23::bigint = 0)
            """, .text(record.status.rawValue), .integer(record.updatedAt.milliseconds),
            .integer(orNull: record.sentAt?.milliseconds), .integer(orNull: record.expiresAt?.milliseconds),
            .bytes(orNull: record.failure?.packed), .integer(Int64(record.attempts)), .bytes(record.packedNotes),
            .bytes(record.timeline.packed), .integer(orNull: record.handoffBytes.map(Int64.init)),
            .bytes(orNull: record.handoffDigest), .integer(orNull: record.deliveredAt?.milliseconds),
            .text(orNull: record.settlement?.source.rawValue), .integer(orNull: record.settlement?.at.milliseconds),
            .integer(record.isAmbiguous ? 1 : 0), .integer(orNull: record.tokenSeenAt?.milliseconds),
            .integer(orNull: record.followUpAt?.milliseconds), .integer(Int64(record.followUps)),
            .flag(verdict.isHandedOff), .flag(verdict.isActive), .flag(verdict.isAdded), .text(record.id),
            .text(record.card.program), .integer(onlyWhileSending ? 1 : 0))
    }

    /// Writes an attempt that this transaction keeps as it is, and the event of it where its status is another.
    func change(_ record: StoredProvisioning, from former: ProvisioningStatus) {
        update(record, onlyWhileSending: false)
        isWritten(record, from: former)
    }

    /// Has it counted at the end what an attempt that was written now says, and the event of it told where its status
    /// is another.
    func isWritten(_ record: StoredProvisioning, from former: ProvisioningStatus) {
        let isFirst = former == .sending || observed[record.id]?.isFirst == true
        if record.status != .sending {
            observed[record.id] = Observed(program: record.card.program, isFirst: isFirst)
        }
        announce(record, from: former)
    }

    /// The attempt of that program and id.
    func provisioning(_ id: String, program: String) async throws -> StoredProvisioning? {
        try await sql.first(
            "SELECT * FROM provisioning_record WHERE id = $1 AND program = $2", .text(id), .text(program),
            as: ProvisioningTable.decode)?.element
    }

    /// The same, kept as it is until the transaction ends.
    func provisioningToChange(_ id: String, program: String) async throws -> StoredProvisioning? {
        try await sql.first(
            "SELECT * FROM provisioning_record WHERE id = $1 AND program = $2 FOR UPDATE", .text(id), .text(program),
            as: ProvisioningTable.decode)?.element
    }

    /// A page of a program's attempts, the newest first.
    func provisionings(_ query: ProvisioningQuery) async throws -> Page<StoredProvisioning> {
        let start = try query.page.start(in: .provisionings) ?? .max
        let limit = query.page.clampedLimit
        let rows: [(number: Int64, element: StoredProvisioning)]
        if let card = query.card {
            rows = try await sql.all(
                """
                SELECT * FROM provisioning_record WHERE program = $1 AND card = $2 AND number < $3
                    AND ($4::text IS NULL OR status = $4) AND ($5::text IS NULL OR provider = $5)
                ORDER BY number DESC LIMIT $6
                """, .text(query.program), .text(card), .integer(start), .text(orNull: query.status?.rawValue),
                .text(orNull: query.provider), .integer(Int64(limit + 1)), as: ProvisioningTable.decode)
        } else {
            rows = try await sql.all(
                """
                SELECT * FROM provisioning_record WHERE program = $1 AND number < $2
                    AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR provider = $4)
                ORDER BY number DESC LIMIT $5
                """, .text(query.program), .integer(start), .text(orNull: query.status?.rawValue),
                .text(orNull: query.provider), .integer(Int64(limit + 1)), as: ProvisioningTable.decode)
        }
        return Page(rows, limit: limit, of: .provisionings)
    }
}

extension PostgreSQLValue {
    /// A word that may be missing, as a number.
    fileprivate static func flag(_ flag: Bool?) -> PostgreSQLValue { .integer(orNull: flag.map { $0 ? 1 : 0 }) }
}
