import Provisioning
import SQLite

/// Events on their way to destinations.
struct DeliveryTable {
    /// A delivery that could be sent.
    struct Candidate {
        let number: Int64
        let event: Int64
        let card: String
        let tries: Int
    }

    let connection: Connection

    /// Whether something is due that nobody sends.
    func isAnyDue(at now: Timestamp) throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM destination CROSS JOIN delivery ON delivery.destination = destination.number
            WHERE due_at <= ?1 AND (lease_until IS NULL OR lease_until <= ?1) LIMIT 1
            """, .integer(now.milliseconds)
        ) { _ in true } ?? false
    }

    /// The cards of what is under way to a destination, by any instance; one for each delivery.
    func cardsUnderWay(to destination: Int64, at now: Timestamp) throws -> [String] {
        try connection.all(
            """
            SELECT card FROM delivery JOIN event ON event.number = event
            WHERE destination = ?1 AND lease_until IS NOT NULL AND lease_until > ?2
            """, .integer(destination), .integer(now.milliseconds)
        ) { $0.text(0) }
    }

    /// What is due to a destination and nobody sends, in the order of events within each moment.
    func due(to destination: Int64, at now: Timestamp, atMost limit: Int) throws -> [Candidate] {
        try connection.all(
            """
            SELECT delivery.number, event, card, tries FROM delivery JOIN event ON event.number = event
            WHERE destination = ?1 AND due_at <= ?2 AND (lease_until IS NULL OR lease_until <= ?2)
            ORDER BY due_at, event LIMIT ?3
            """, .integer(destination), .integer(now.milliseconds), .integer(Int64(limit))
        ) { row in
            Candidate(number: row.integer(0), event: row.integer(1), card: row.text(2), tries: Int(row.integer(3)))
        }
    }

    /// Keeps other instances from a delivery.
    func lease(_ number: Int64, to holder: String, until moment: Timestamp) throws {
        try connection.run(
            "UPDATE delivery SET lease_holder = ?, lease_until = ? WHERE number = ?", .text(holder),
            .integer(moment.milliseconds), .integer(number))
    }

    /// A delivery that an instance holds: where it goes, and its tries.
    func held(_ number: Int64, by holder: String) throws -> (destination: Int64, attempts: [StoredDelivery.Attempt])? {
        try connection.first(
            "SELECT destination, attempts FROM delivery WHERE number = ? AND lease_holder = ?", .integer(number),
            .text(holder)
        ) { row in (row.integer(0), try [StoredDelivery.Attempt](packed: row.optionalBytes(1) ?? [])) }
    }

    /// Writes where a delivery stands, and lets go of it.
    func update(
        _ number: Int64, _ status: StoredDelivery.Status, attempts: [StoredDelivery.Attempt], dueAt: Timestamp?
    ) throws {
        try connection.run(
            """
            UPDATE delivery SET status = ?, tries = ?, attempts = ?, due_at = ?, lease_holder = NULL,
                lease_until = NULL
            WHERE number = ?
            """, .text(status.rawValue), .integer(Int64(attempts.count)), .bytes(attempts.packed),
            .integer(orNull: dueAt?.milliseconds), .integer(number))
    }

    /// Lets go of a delivery that was not tried.
    func release(_ number: Int64, by holder: String) throws {
        try connection.run(
            "UPDATE delivery SET lease_holder = NULL, lease_until = NULL WHERE number = ? AND lease_holder = ?",
            .integer(number), .text(holder))
    }

    /// The deliveries to a destination, the newest event first.
    func deliveries(_ query: DeliveryQuery) throws -> Page<StoredDelivery> {
        let start = try query.page.start(in: .deliveries) ?? Int64.max
        let limit = query.page.clampedLimit
        let rows = try connection.all(
            """
            SELECT delivery.number, event.id, event.type, event.card, delivery.status, attempts, queued_at, due_at
            FROM delivery JOIN event ON event.number = event
            WHERE destination = (SELECT number FROM destination WHERE id = ?1) AND delivery.number < ?2
            AND (?3 IS NULL OR delivery.status = ?3) ORDER BY delivery.number DESC LIMIT ?4
            """, .text(query.destination), .integer(start), .text(orNull: query.status?.rawValue),
            .integer(Int64(limit + 1)), as: Self.decode)
        return Page(rows, limit: limit, of: .deliveries)
    }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) throws -> (number: Int64, element: StoredDelivery)
    {
        (
            row.integer(0),
            StoredDelivery(
                event: row.text(1), type: row.text(2), card: EventTable.card(row.text(3)),
                status: try StoredDelivery.Status(stored: row.text(4)),
                attempts: try [StoredDelivery.Attempt](packed: row.optionalBytes(5) ?? []),
                queuedAt: Timestamp(milliseconds: row.integer(6)),
                nextAt: row.optionalInteger(7).map { Timestamp(milliseconds: $0) })
        )
    }

    /// The numbers of events that a replay means, the oldest first, one more than its limit.
    func events(of replay: Replay, to destination: Int64, from first: Int64) throws -> [Int64] {
        let since: Int64? = if case .time(let moment) = replay.start { moment.milliseconds } else { nil }
        if replay.isForDeadOnly {
            return try connection.all(
                """
                SELECT event FROM delivery JOIN event ON event.number = event
                WHERE destination = ?1 AND status = 'dead' AND event >= ?2 AND (?3 IS NULL OR event.created_at >= ?3)
                ORDER BY event LIMIT ?4
                """, .integer(destination), .integer(first), .integer(orNull: since),
                .integer(Int64(replay.limit + 1))
            ) { $0.integer(0) }
        }
        return try connection.all(
            """
            SELECT number FROM event WHERE program = ?1 AND number >= ?2 AND (?3 IS NULL OR created_at >= ?3)
            ORDER BY number LIMIT ?4
            """, .text(replay.program), .integer(first), .integer(orNull: since), .integer(Int64(replay.limit + 1))
        ) { $0.integer(0) }
    }

    /// Queues an event for a destination, anew where it was queued before. False where it is under way: then its
    /// end counts.
    func queue(_ event: Int64, to destination: Int64, at moment: Timestamp) throws -> Bool {
        try connection.run(
            """
            INSERT INTO delivery (destination, event, status, queued_at, due_at) VALUES (?1, ?2, 'pending', ?3, ?3)
            ON CONFLICT (event, destination) DO UPDATE
            SET status = 'pending', tries = 0, attempts = NULL, queued_at = ?3, due_at = ?3
            WHERE lease_until IS NULL OR lease_until <= ?3
            """, .integer(destination), .integer(event), .integer(moment.milliseconds)) == 1
    }

    /// Drops some deliveries that were queued before a moment, the oldest first, and answers how many.
    func drop(before moment: Timestamp, atMost limit: Int) throws -> Int {
        try connection.run(
            """
            DELETE FROM delivery
            WHERE number IN (SELECT number FROM delivery WHERE queued_at < ?1 ORDER BY queued_at LIMIT ?2)
            """, .integer(moment.milliseconds), .integer(Int64(limit)))
    }
}
