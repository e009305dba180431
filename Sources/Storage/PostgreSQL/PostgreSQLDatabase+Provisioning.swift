import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Undoes a reservation that is none, and says why.
    struct NoReservation: Error {
        let result: ReservationResult
    }

    /// Everything that must hold before the first byte leaves. All is asked and tried at once; what is decided from the
    /// answers is decided by the rules that the embedded store goes by, and a reservation that is none is undone.
    ///
    /// - Throws: ``NoReservation`` with the result where there is none.
    func reserve(_ reservation: Reservation) async throws {
        var record = reservation.record
        let key = reservation.idempotency.map { claim in
            askForKey(claim, provisioning: record.id, firstUsedAt: record.createdAt, deadlineAt: record.deadlineAt)
        }
        share(.routing(record.card.program))
        let standing = askForStanding(of: record.card)
        let inForce = askForMigrationInForce(program: record.card.program, card: record.card.id)
        let former = reservation.formerHandshakeDigests.map { digest in
            sql.ask(
                "SELECT 1 FROM spent_handshake WHERE program = $1 AND digest = $2 AND expires_at > $3",
                .text(record.card.program), .bytes(digest), .integer(record.createdAt.milliseconds)
            ) { _ in true }
        }
        let spent = reservation.handshakeDigest.map { digest in
            sql.run(
                """
                INSERT INTO spent_handshake (program, digest, provisioning, expires_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (program, digest) DO UPDATE SET provisioning = $3, expires_at = $4
                WHERE spent_handshake.expires_at <= $5
                """, .text(record.card.program), .bytes(digest), .text(record.id),
                .integer(reservation.handshakeExpiresAt.milliseconds), .integer(record.createdAt.milliseconds))
        }
        try await sql.send()
        if let claim = reservation.idempotency, let key {
            if let taken = take(
                key, for: claim, provisioning: record.id, at: record.createdAt, until: record.deadlineAt)
            {
                throw NoReservation(result: .idempotencyKeyTaken(taken))
            }
        }
        guard let card = CardRow.cards(standing.rows).first?.card else { throw NoReservation(result: .cardGone) }
        let migration = inForce.first?.meaning(ofCardholder: card.cardholderID)
        let isPlanned = reservation.isPlanned(
            cardholderID: card.cardholderID, cardholderName: card.cardholderName, title: card.title,
            bindings: card.bindings, under: migration)
        guard isPlanned else { throw NoReservation(result: .cardChanged) }
        if former.contains(where: { $0.first == true }) { throw NoReservation(result: .handshakeReused) }
        if let spent, spent.count == 0 { throw NoReservation(result: .handshakeReused) }
        record.migration = migration?.id
        record.detour = reservation.detour?.reason
        insert(record)
    }

    /// Does a bounded part of the upkeep of attempts. False once nothing is left to do.
    func giveUp(at now: Timestamp, atMost limit: Int) async throws -> Bool {
        let overdue = try await sql.all(
            """
            SELECT * FROM provisioning_record WHERE status = 'sending' AND deadline_at < $1
            ORDER BY deadline_at LIMIT $2 FOR UPDATE SKIP LOCKED
            """, .integer(now.adding(milliseconds: -StoredProvisioning.graceMilliseconds).milliseconds),
            .integer(Int64(limit)), as: ProvisioningTable.decode)
        for var record in overdue.map(\.element) {
            record.giveUp(at: now)
            change(record, from: .sending)
        }
        return !overdue.isEmpty
    }

    /// Writes how attempts ended: those that still read `sending` at once, and the others as their rows now allow.
    func complete(_ completions: [ProvisioningCompletion]) async throws {
        let answers = completions.map { completion in
            completion.record.status.isCompletion ? update(completion.record, onlyWhileSending: true) : nil
        }
        for completion in completions {
            let record = completion.record
            if let digest = completion.releasedHandshake {
                sql.run(
                    "DELETE FROM spent_handshake WHERE program = $1 AND digest = $2 AND provisioning = $3",
                    .text(record.card.program), .bytes(digest), .text(record.id))
            }
            if let (key, ending) = completion.idempotency { end(key, as: ending, provisioning: record.id) }
        }
        try await sql.send()
        for (completion, answer) in zip(completions, answers) {
            let record = completion.record
            if let answer, answer.count == 1 {
                isWritten(record, from: .sending)
            } else if let stored = try await provisioningToChange(record.id, program: record.card.program) {
                change(stored.completed(as: record), from: stored.status)
            }
        }
    }

    /// Notes what a device said, and moves the attempt's status where the table allows it; nil where it is unknown.
    func note(_ report: DeviceReport) async throws -> StoredProvisioning? {
        guard var record = try await provisioningToChange(report.id, program: report.program) else { return nil }
        let former = record.status
        record.note(report)
        change(record, from: former)
        return record
    }
}
