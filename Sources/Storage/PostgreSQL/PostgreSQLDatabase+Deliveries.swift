import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// The deliveries to a destination, the newest event first.
    func deliveries(_ query: DeliveryQuery) async throws -> Page<StoredDelivery> {
        let start = try query.page.start(in: .deliveries) ?? Int64.max
        let limit = query.page.clampedLimit
        let rows = try await sql.all(
            """
            SELECT delivery.number, event.id, event.type, event.card, delivery.status, attempts, queued_at, due_at
            FROM delivery JOIN event ON event.number = event
            WHERE destination = (SELECT number FROM destination WHERE id = $1) AND delivery.number < $2
            AND ($3::text IS NULL OR delivery.status = $3) ORDER BY delivery.number DESC LIMIT $4
            """, .text(query.destination), .integer(start), .text(orNull: query.status?.rawValue),
            .integer(Int64(limit + 1)), as: DeliveryTable.decode)
        return Page(rows, limit: limit, of: .deliveries)
    }

    /// Events that a replay means, the oldest first, one more than its limit.
    func events(of replay: Replay, to destination: Int64, from first: Int64) async throws
        -> [(number: Int64, id: String)]
    {
        let since: Int64? = if case .time(let moment) = replay.start { moment.milliseconds } else { nil }
        if replay.isForDeadOnly {
            return try await sql.all(
                """
                SELECT event.number, event.id FROM delivery JOIN event ON event.number = event
                WHERE destination = $1 AND status = 'dead' AND event.number >= $2
                    AND ($3::bigint IS NULL OR event.created_at >= $3)
                ORDER BY event.number LIMIT $4
                """, .integer(destination), .integer(first), .integer(orNull: since),
                .integer(Int64(replay.limit + 1))
            ) { ($0.integer(0), $0.text(1)) }
        }
        return try await sql.all(
            """
            SELECT number, id FROM event
            WHERE program = $1 AND number >= $2 AND ($3::bigint IS NULL OR created_at >= $3) ORDER BY number LIMIT $4
            """, .text(replay.program), .integer(first), .integer(orNull: since), .integer(Int64(replay.limit + 1))
        ) { ($0.integer(0), $0.text(1)) }
    }

    /// Queues an event for a destination, anew where it was queued before, unless it is under way: then its end counts.
    func queue(_ event: Int64, to destination: Int64, at moment: Timestamp) -> Answer<Void> {
        sql.run(
            """
            INSERT INTO delivery (destination, event, status, queued_at, due_at) VALUES ($1, $2, 'pending', $3, $3)
            ON CONFLICT (event, destination) DO UPDATE
            SET status = 'pending', tries = 0, attempts = NULL, queued_at = $3, due_at = $3
            WHERE delivery.lease_until IS NULL OR delivery.lease_until <= $3
            """, .integer(destination), .integer(event), .integer(moment.milliseconds))
    }

    /// Whether something is due that nobody sends.
    func isAnyDeliveryDue(at now: Timestamp) async throws -> Bool {
        try await sql.first(
            "SELECT 1 FROM delivery WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1) LIMIT 1",
            .integer(now.milliseconds)
        ) { _ in true } ?? false
    }

    /// Claims deliveries that are due: of each destination so many as are not under way already, and of each card one at
    /// a time. One instance chooses at a time.
    func claim(_ claim: OutgoingClaim) async throws -> [OutgoingDelivery] {
        lock(.sending)
        let destinations = try await sql.all(
            """
            SELECT destination.* FROM destination JOIN (
                SELECT destination, min(due_at) AS first FROM delivery
                WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1) GROUP BY destination
            ) due ON due.destination = destination.number
            ORDER BY due.first
            """, .integer(claim.now.milliseconds), as: DestinationTable.decode)
        let plans = destinations.map { numbered in
            (
                destination: numbered.element, underWay: askForCardsUnderWay(to: numbered.number, at: claim.now),
                // Some of them may be of one card, and wait for each other.
                due: askForDue(to: numbered.number, at: claim.now, atMost: 8 * claim.limitPerDestination)
            )
        }
        try await sql.send()
        var claimed: [OutgoingDelivery] = []
        for plan in plans {
            var room = min(claim.limitPerDestination - plan.underWay.rows.count, claim.limit - claimed.count)
            var cards = Set(plan.underWay.rows)
            for due in plan.due.rows where room > 0 && cards.insert(due.event.card ?? EventTable.noCard).inserted {
                claimed.append(
                    OutgoingDelivery(
                        number: due.number, destination: plan.destination, event: due.event, tries: due.tries))
                room -= 1
            }
        }
        sql.run(
            "UPDATE delivery SET lease_holder = $1, lease_until = $2 WHERE number = ANY($3::text::bigint[])",
            .text(claim.holder), .integer(claim.leaseUntil.milliseconds), Self.list(claimed.map(\.number)))
        return claimed
    }

    private func askForCardsUnderWay(to destination: Int64, at now: Timestamp) -> Answer<String> {
        sql.ask(
            """
            SELECT card FROM delivery JOIN event ON event.number = event
            WHERE destination = $1 AND lease_until IS NOT NULL AND lease_until > $2
            """, .integer(destination), .integer(now.milliseconds)
        ) { $0.text(0) }
    }

    private func askForDue(to destination: Int64, at now: Timestamp, atMost limit: Int)
        -> Answer<(number: Int64, event: StoredEvent, tries: Int)>
    {
        sql.ask(
            """
            SELECT event.number, event.id, program, card, sequence, type, created_at, members, delivery.number, tries
            FROM delivery JOIN event ON event.number = event
            WHERE destination = $1 AND due_at <= $2 AND (lease_until IS NULL OR lease_until <= $2)
            ORDER BY due_at, event.number LIMIT $3 FOR UPDATE OF delivery SKIP LOCKED
            """, .integer(destination), .integer(now.milliseconds), .integer(Int64(limit))
        ) { row in (row.integer(8), try EventTable.decode(row).element, Int(row.integer(9))) }
    }
}
