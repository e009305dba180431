import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Keeps an event for the end of the transaction.
    func tell(_ type: EventType, of card: CardKey, at moment: Timestamp, _ members: [StoredEvent.Member]) {
        news.append(News(type: type, program: card.program, card: card.id, at: moment, members: members))
    }

    /// Keeps an event of an attempt whose status is another than before.
    func announce(_ record: StoredProvisioning, from former: ProvisioningStatus) {
        guard record.status != former else { return }
        tell(.provisioning(record.status), of: record.card, at: record.updatedAt, record.eventMembers(from: former))
    }

    /// Adds what is told, and what attempts now say of their sides, to the last batch. From here to its end no other
    /// transaction numbers events of the programs, so that whoever has read up to a number has read all; and none counts
    /// their observations.
    func writeNews() {
        for program in Set(news.map(\.program)).union(observed.values.map(\.program)).sorted() {
            lock(.events(program))
        }
        for (attempt, written) in observed.sorted(by: { $0.key < $1.key }) {
            if written.isFirst { addObservation(of: attempt) } else { recountObservation(of: attempt) }
        }
        observed = [:]
        for event in news {
            sql.run(
                """
                WITH counted AS (
                    INSERT INTO event_sequence (program, card, last) VALUES ($1, $2, 1)
                    ON CONFLICT (program, card) DO UPDATE SET last = event_sequence.last + 1 RETURNING last
                )
                INSERT INTO event (id, program, card, sequence, type, created_at, members)
                SELECT $3::text, $1, $2, last, $4::text, $5::bigint, $6::bytea FROM counted
                """, .text(event.program), .text(event.card), .text(IDDigits.id("evt_", at: event.at)),
                .text(event.type.rawValue), .integer(event.at.milliseconds), .bytes(event.members.packed))
        }
        news = []
    }

    /// The event of that program and id.
    func event(_ id: String, program: String) async throws -> StoredEvent? {
        try await sql.first(
            """
            SELECT number, id, program, card, sequence, type, created_at, members FROM event
            WHERE id = $1 AND program = $2
            """, .text(id), .text(program), as: EventTable.decode)?.element
    }

    /// The number of the event of that program and id.
    func number(ofEvent id: String, program: String) async throws -> Int64? {
        try await sql.first("SELECT number FROM event WHERE id = $1 AND program = $2", .text(id), .text(program)) {
            $0.integer(0)
        }
    }

    /// A page of a program's events, the oldest first.
    func events(_ query: EventQuery) async throws -> Page<StoredEvent> {
        var start = try query.page.start(in: .events) ?? 0
        let limit = query.page.clampedLimit
        if let after = query.after {
            start = max(start, try await number(ofEvent: after, program: query.program) ?? 0)
        }
        let family = query.type.flatMap { $0.hasSuffix(".*") ? String($0.dropLast()) : nil }
        let rows: [(number: Int64, element: StoredEvent)]
        if let card = query.card {
            rows = try await sql.all(
                """
                SELECT number, id, program, card, sequence, type, created_at, members FROM event
                WHERE program = $1 AND card = $2 AND number > $3 AND ($4::text IS NULL OR type = $4)
                    AND ($5::text IS NULL OR starts_with(type, $5)) ORDER BY number LIMIT $6
                """, .text(query.program), .text(card), .integer(start),
                .text(orNull: family == nil ? query.type : nil), .text(orNull: family), .integer(Int64(limit + 1)),
                as: EventTable.decode)
        } else {
            rows = try await sql.all(
                """
                SELECT number, id, program, card, sequence, type, created_at, members FROM event
                WHERE program = $1 AND number > $2 AND ($3::text IS NULL OR type = $3)
                    AND ($4::text IS NULL OR starts_with(type, $4)) ORDER BY number LIMIT $5
                """, .text(query.program), .integer(start), .text(orNull: family == nil ? query.type : nil),
                .text(orNull: family), .integer(Int64(limit + 1)), as: EventTable.decode)
        }
        return Page(rows, limit: limit, of: .events)
    }
}
