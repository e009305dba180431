import Provisioning
import SQLite

/// The attempts.
struct ProvisioningTable {
    let connection: Connection

    /// Adds an attempt.
    func insert(_ record: StoredProvisioning) throws {
        try connection.run(
            """
            INSERT INTO provisioning (id, program, card, provider, connection, provider_card_id, wallet, channel,
                origin, handoff, status, created_at, updated_at, deadline_at, sent_at, expires_at, failure, attempts,
                notes, timeline, handoff_bytes, handoff_digest, instance, migration, detour)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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

    /// Writes what an attempt's end changes, and what it now says of its side. With `onlyWhileSending`, false where it does not read `sending` any more.
    func update(_ record: StoredProvisioning, onlyWhileSending: Bool) throws -> Bool {
        let migration = try connection.first(
            """
            UPDATE provisioning SET status = ?, updated_at = ?, sent_at = ?, expires_at = ?, failure = ?, attempts = ?,
                notes = ?, timeline = ?, handoff_bytes = ?, handoff_digest = ?, delivered_at = ?, settled_by = ?,
                settled_at = ?, is_ambiguous = ?, token_seen_at = ?, follow_up_at = ?, follow_ups = ?
            WHERE id = ? AND program = ? AND (status = 'sending' OR ?) RETURNING ifnull(migration, '')
            """, .text(record.status.rawValue), .integer(record.updatedAt.milliseconds),
            .integer(orNull: record.sentAt?.milliseconds), .integer(orNull: record.expiresAt?.milliseconds),
            .bytes(orNull: record.failure?.packed), .integer(Int64(record.attempts)), .bytes(record.packedNotes),
            .bytes(record.timeline.packed), .integer(orNull: record.handoffBytes.map(Int64.init)),
            .bytes(orNull: record.handoffDigest), .integer(orNull: record.deliveredAt?.milliseconds),
            .text(orNull: record.settlement?.source.rawValue), .integer(orNull: record.settlement?.at.milliseconds),
            .integer(record.isAmbiguous ? 1 : 0), .integer(orNull: record.tokenSeenAt?.milliseconds),
            .integer(orNull: record.followUpAt?.milliseconds), .integer(Int64(record.followUps)), .text(record.id),
            .text(record.card.program), .integer(onlyWhileSending ? 0 : 1)
        ) { $0.text(0) }
        guard let migration else { return false }
        try ObservationTable(connection: connection).note(record, in: migration, isFirst: onlyWhileSending)
        return true
    }

    /// Writes an attempt, whatever it reads, and the event of it where its status is another than before.
    func change(_ record: StoredProvisioning) throws {
        let former = try status(of: record)
        _ = try update(record, onlyWhileSending: false)
        if let former { try announce(record, from: former) }
    }

    /// Writes how an attempt ended, as far as its status still allows.
    func complete(_ ended: StoredProvisioning) throws {
        if ended.status.isCompletion, try update(ended, onlyWhileSending: true) {
            try announce(ended, from: .sending)
        } else if let stored = try provisioning(ended.id, program: ended.card.program) {
            try change(stored.completed(as: ended))
        }
    }

    private func status(of record: StoredProvisioning) throws -> ProvisioningStatus? {
        try connection.first(
            "SELECT status FROM provisioning WHERE id = ? AND program = ?", .text(record.id),
            .text(record.card.program)
        ) { try ProvisioningStatus(stored: $0.text(0)) }
    }

    private func announce(_ record: StoredProvisioning, from former: ProvisioningStatus) throws {
        guard record.status != former else { return }
        try EventTable(connection: connection).append(
            .provisioning(record.status), of: record.card, at: record.updatedAt, record.eventMembers(from: former))
    }

    /// The attempt of that program and id.
    func provisioning(_ id: String, program: String) throws -> StoredProvisioning? {
        try connection.first(
            """
            SELECT * FROM provisioning_record WHERE id = ? AND program = ?
            """, .text(id), .text(program), as: Self.decode)?.element
    }

    /// A page of a program's attempts, the newest first.
    func provisionings(_ query: ProvisioningQuery) throws -> Page<StoredProvisioning> {
        let start = try query.page.start(in: .provisionings) ?? .max
        let limit = query.page.clampedLimit
        let rows: [(number: Int64, element: StoredProvisioning)]
        if let card = query.card {
            rows = try connection.all(
                """
                SELECT * FROM provisioning_record WHERE program = ?1 AND card = ?2 AND number < ?3
                    AND (?4 IS NULL OR status = ?4) AND (?5 IS NULL OR provider = ?5)
                ORDER BY number DESC LIMIT ?6
                """, .text(query.program), .text(card), .integer(start), .text(orNull: query.status?.rawValue),
                .text(orNull: query.provider), .integer(Int64(limit + 1)), as: Self.decode)
        } else {
            rows = try connection.all(
                """
                SELECT * FROM provisioning_record WHERE program = ?1 AND number < ?2
                    AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR provider = ?4)
                ORDER BY number DESC LIMIT ?5
                """, .text(query.program), .integer(start), .text(orNull: query.status?.rawValue),
                .text(orNull: query.provider), .integer(Int64(limit + 1)), as: Self.decode)
        }
        return Page(rows, limit: limit, of: .provisionings)
    }

    /// Gives up some attempts whose deadline is long past, and answers how many.
    func giveUp(at now: Timestamp, atMost limit: Int) throws -> Int {
        let overdue = try connection.all(
            """
            SELECT * FROM provisioning_record WHERE status = 'sending' AND deadline_at < ? ORDER BY deadline_at LIMIT ?
            """, .integer(now.adding(milliseconds: -StoredProvisioning.graceMilliseconds).milliseconds),
            .integer(Int64(limit)), as: Self.decode)
        for var record in overdue.map(\.element) {
            record.giveUp(at: now)
            if try update(record, onlyWhileSending: true) { try announce(record, from: .sending) }
        }
        return overdue.count
    }

    /// Drops some attempts that were made before a moment, the oldest first, and answers how many.
    func drop(before moment: Timestamp, atMost limit: Int) throws -> Int {
        try connection.run(
            """
            DELETE FROM provisioning WHERE created_at < ?1
            AND number IN (SELECT number FROM provisioning ORDER BY number LIMIT ?2)
            """, .integer(moment.milliseconds), .integer(Int64(limit)))
    }

    /// Forgets the processor's card id in a card's attempts, and the tokens that came from them.
    func eraseProviderCardIDs(of card: CardKey) throws {
        try connection.run(
            """
            DELETE FROM attributed_token WHERE provisioning IN
                (SELECT number FROM provisioning WHERE program = ? AND card = ?)
            """, .text(card.program), .text(card.id))
        try connection.run(
            "UPDATE provisioning SET provider_card_id = '' WHERE program = ? AND card = ?", .text(card.program),
            .text(card.id))
    }

    /// Reads a row of `provisioning_record`.
    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) throws -> (
        number: Int64, element: StoredProvisioning
    ) {
        var notes = PackedReader(row.bytes(19))
        var record = StoredProvisioning(
            id: row.text(1), card: CardKey(program: row.text(2), id: row.text(3)), provider: row.text(4),
            connection: row.text(5), providerCardID: row.text(6), wallet: try Wallet(stored: row.text(7)),
            channel: try WalletChannel(stored: row.text(8)), origin: try ProvisioningOrigin(stored: row.text(9)),
            handoffType: try HandoffType(stored: row.text(10)), status: try ProvisioningStatus(stored: row.text(11)),
            createdAt: Timestamp(milliseconds: row.integer(12)), deadlineAt: Timestamp(milliseconds: row.integer(14)),
            repairs: try [StoredRepair](from: &notes), warnings: try [StoredRepair](from: &notes),
            timeline: try [TimelineStep](packed: row.bytes(20)), instance: row.text(23))
        record.updatedAt = Timestamp(milliseconds: row.integer(13))
        record.sentAt = row.optionalInteger(15).map(Timestamp.init(milliseconds:))
        record.expiresAt = row.optionalInteger(16).map(Timestamp.init(milliseconds:))
        record.failure = try row.optionalBytes(17).map(StoredFailure.init(packed:))
        record.attempts = Int(row.integer(18))
        record.handoffBytes = row.optionalInteger(21).map { Int($0) }
        record.handoffDigest = row.optionalBytes(22)
        record.deliveredAt = row.optionalInteger(24).map(Timestamp.init(milliseconds:))
        if let source = row.optionalText(25) {
            record.settlement = StoredSettlement(
                source: try StoredSettlement.Source(stored: source), at: Timestamp(milliseconds: row.integer(26)))
        }
        record.isAmbiguous = row.integer(27) != 0
        record.tokenSeenAt = row.optionalInteger(28).map(Timestamp.init(milliseconds:))
        record.followUpAt = row.optionalInteger(29).map(Timestamp.init(milliseconds:))
        record.followUps = Int(row.integer(30))
        record.migration = row.optionalText(33)
        record.detour = try row.optionalText(34).map(Detour.Reason.init(stored:))
        return (row.integer(0), record)
    }
}

extension StoredProvisioning {
    var packedNotes: [UInt8] {
        var writer = PackedWriter()
        repairs.pack(into: &writer)
        warnings.pack(into: &writer)
        return writer.bytes
    }
}
