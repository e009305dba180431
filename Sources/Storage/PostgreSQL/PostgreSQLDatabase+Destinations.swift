import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Adds a destination.
    func add(_ destination: StoredDestination, by actor: AuditActor) async throws {
        openTrail(of: destination.program)
        try await sql.send()
        sql.run(
            """
            INSERT INTO destination (id, program, url, status, secret, former_secret, former_until, created_at,
                updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """, .text(destination.id), .text(destination.program), .text(destination.url),
            .text(destination.status.rawValue), .text(destination.sealedSecret),
            .text(orNull: destination.formerSealedSecret), .integer(orNull: destination.formerUntil?.milliseconds),
            .integer(destination.createdAt.milliseconds), .integer(destination.updatedAt.milliseconds))
        append(
            "destination.added", on: destination.id, of: destination.program, by: actor, at: destination.createdAt,
            before: [], after: chain.members(of: destination))
    }

    /// The destination of that program and id, with its number.
    func destination(_ id: String, program: String) async throws -> (number: Int64, element: StoredDestination)? {
        try await sql.first(
            "SELECT * FROM destination WHERE id = $1 AND program = $2", .text(id), .text(program),
            as: DestinationTable.decode)
    }

    /// The same, kept as it is until the transaction ends.
    private func destinationToChange(_ id: String, program: String) async throws
        -> (number: Int64, element: StoredDestination)?
    {
        try await sql.first(
            "SELECT * FROM destination WHERE id = $1 AND program = $2 FOR UPDATE", .text(id), .text(program),
            as: DestinationTable.decode)
    }

    /// A page of a program's destinations, in order of creation.
    func destinations(_ query: DestinationQuery) async throws -> Page<StoredDestination> {
        let start = try query.page.start(in: .destinations) ?? 0
        let limit = query.page.clampedLimit
        let rows = try await sql.all(
            "SELECT * FROM destination WHERE program = $1 AND number > $2 ORDER BY number LIMIT $3",
            .text(query.program), .integer(start), .integer(Int64(limit + 1)), as: DestinationTable.decode)
        return Page(rows, limit: limit, of: .destinations)
    }

    /// Replaces a destination's secret, and keeps the one before it for a while. Nil where there is no such destination.
    func rotate(_ rotation: SecretRotation, by actor: AuditActor) async throws -> StoredDestination? {
        openTrail(of: rotation.program)
        guard let found = try await destinationToChange(rotation.id, program: rotation.program)?.element else {
            return nil
        }
        let destination = found.taking(rotation)
        update(destination)
        append(
            "destination.secret_replaced", on: rotation.id, of: rotation.program, by: actor, at: rotation.at,
            before: [],
            after: [AuditMember(name: "former_until", value: rotation.formerUntil.rfc3339, isDigest: false)])
        return destination
    }

    /// Removes a destination with its deliveries. False where there is none.
    func removeDestination(_ id: String, program: String, by actor: AuditActor, at now: Timestamp) async throws
        -> Bool
    {
        openTrail(of: program)
        guard let destination = try await destinationToChange(id, program: program)?.element else { return false }
        sql.run("DELETE FROM destination WHERE id = $1", .text(id))
        append(
            "destination.removed", on: id, of: program, by: actor, at: now, before: chain.members(of: destination),
            after: [])
        return true
    }

    private func update(_ destination: StoredDestination) {
        sql.run(
            """
            UPDATE destination SET status = $1, secret = $2, former_secret = $3, former_until = $4, updated_at = $5
            WHERE id = $6
            """, .text(destination.status.rawValue), .text(destination.sealedSecret),
            .text(orNull: destination.formerSealedSecret), .integer(orNull: destination.formerUntil?.milliseconds),
            .integer(destination.updatedAt.milliseconds), .text(destination.id))
    }

    /// Turns a destination off, and ends all that waits for it.
    private func disable(_ number: Int64, at moment: Timestamp) async throws {
        let found = try await sql.first(
            "SELECT * FROM destination WHERE number = $1", .integer(number), as: DestinationTable.decode)
        guard let former = found?.element else { return }
        openTrail(of: former.program)
        try await sql.send()
        var disabled = former
        disabled.status = .disabled
        append("destination.disabled", from: former, to: disabled, by: .gateway, at: moment)
        sql.run(
            "UPDATE destination SET status = 'disabled', updated_at = $1 WHERE number = $2",
            .integer(moment.milliseconds), .integer(number))
        sql.run(
            """
            UPDATE delivery SET status = 'dead', due_at = NULL, lease_holder = NULL, lease_until = NULL
            WHERE destination = $1 AND status = 'pending'
            """, .integer(number))
    }

    /// Writes how a try ended, and lets go of the delivery.
    func finish(_ end: OutgoingEnd) async throws {
        if end.outcome == .untouched {
            sql.run(
                "UPDATE delivery SET lease_holder = NULL, lease_until = NULL WHERE number = $1 AND lease_holder = $2",
                .integer(end.number), .text(end.holder))
            return
        }
        let held = try await sql.first(
            "SELECT destination, attempts FROM delivery WHERE number = $1 AND lease_holder = $2 FOR UPDATE",
            .integer(end.number), .text(end.holder)
        ) { row in
            (destination: row.integer(0), attempts: try [StoredDelivery.Attempt](packed: row.optionalBytes(1) ?? []))
        }
        guard let held else { return }
        let attempts = end.adding(to: held.attempts)
        switch end.outcome {
        case .untouched: return
        case .delivered: update(end.number, .delivered, attempts: attempts, dueAt: nil)
        case .again(let moment): update(end.number, .pending, attempts: attempts, dueAt: moment)
        case .dead: update(end.number, .dead, attempts: attempts, dueAt: nil)
        case .gone:
            update(end.number, .dead, attempts: attempts, dueAt: nil)
            try await disable(held.destination, at: end.at)
        }
    }

    private func update(
        _ number: Int64, _ status: StoredDelivery.Status, attempts: [StoredDelivery.Attempt], dueAt: Timestamp?
    ) {
        sql.run(
            """
            UPDATE delivery SET status = $1, tries = $2, attempts = $3, due_at = $4, lease_holder = NULL,
                lease_until = NULL
            WHERE number = $5
            """, .text(status.rawValue), .integer(Int64(attempts.count)), .bytes(attempts.packed),
            .integer(orNull: dueAt?.milliseconds), .integer(number))
    }

    /// Queues events for a destination again.
    func replay(_ replay: Replay, by actor: AuditActor) async throws -> ReplayResult {
        openTrail(of: replay.program)
        let found = try await destinationToChange(replay.destination, program: replay.program)
        guard let (number, known) = found else { return .unknownDestination }
        var destination = known
        var first: Int64 = 0
        if case .event(let id) = replay.start {
            guard let start = try await self.number(ofEvent: id, program: replay.program) else { return .unknownEvent }
            first = start
        }
        if destination.status == .disabled {
            destination.status = .enabled
            destination.updatedAt = replay.at
            update(destination)
            append("destination.enabled", from: known, to: destination, by: actor, at: replay.at)
        }
        let meant = try await events(of: replay, to: number, from: first)
        let queued = meant.prefix(replay.limit).map { queue($0.number, to: number, at: replay.at) }
        try await sql.send()
        let next = meant.count > replay.limit ? meant.last?.id : nil
        return .queued(queued.count { $0.count == 1 }, next: next)
    }

    /// Writes a change of a destination into the audit trail; nothing where nothing changed.
    private func append(
        _ action: String, from former: StoredDestination, to destination: StoredDestination, by actor: AuditActor,
        at moment: Timestamp
    ) {
        let change = chain.difference(chain.members(of: former), chain.members(of: destination))
        if change.after.isEmpty { return }
        append(
            action, on: destination.id, of: destination.program, by: actor, at: moment, before: change.before,
            after: change.after)
    }
}
