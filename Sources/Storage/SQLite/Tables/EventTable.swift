import Provisioning
import SQLite

/// The normalised events, each with its place among its card's.
struct EventTable {
    let connection: Connection

    /// What stands for the card of an event that is about none. No card has it as its id.
    static let noCard = ""

    /// Adds an event of a program that is about no card.
    func append(
        _ type: EventType, ofProgram program: String, at moment: Timestamp, _ members: [StoredEvent.Member]
    ) throws {
        try append(type, of: CardKey(program: program, id: Self.noCard), at: moment, members)
    }

    /// Adds an event.
    func append(_ type: EventType, of card: CardKey, at moment: Timestamp, _ members: [StoredEvent.Member]) throws {
        let sequence = try nextSequence(of: card)
        try connection.run(
            """
            INSERT INTO event (id, program, card, sequence, type, created_at, members) VALUES (?, ?, ?, ?, ?, ?, ?)
            """, .text(IDDigits.id("evt_", at: moment)), .text(card.program), .text(card.id), .integer(sequence),
            .text(type.rawValue), .integer(moment.milliseconds), .bytes(members.packed))
    }

    /// Counts on a card's sequence. To ask for the number in the statement that counts would cost a table of its own.
    private func nextSequence(of card: CardKey) throws -> Int64 {
        try connection.run(
            """
            INSERT INTO event_sequence (program, card, last) VALUES (?, ?, 1)
            ON CONFLICT (program, card) DO UPDATE SET last = last + 1
            """, .text(card.program), .text(card.id))
        let last = try connection.first(
            "SELECT last FROM event_sequence WHERE program = ? AND card = ?", .text(card.program), .text(card.id)
        ) { $0.integer(0) }
        guard let last else { throw StoreFailure.broken("A card's event was given no sequence number.") }
        return last
    }

    /// The event of that program and id.
    func event(_ id: String, program: String) throws -> StoredEvent? {
        try connection.first(
            """
            SELECT number, id, program, card, sequence, type, created_at, members FROM event
            WHERE id = ? AND program = ?
            """, .text(id), .text(program), as: Self.decode)?.element
    }

    /// The event with that number.
    func event(numbered number: Int64) throws -> StoredEvent? {
        try connection.first(
            "SELECT number, id, program, card, sequence, type, created_at, members FROM event WHERE number = ?",
            .integer(number), as: Self.decode)?.element
    }

    /// The number of the event of that program and id.
    func number(of id: String, program: String) throws -> Int64? {
        try connection.first(
            "SELECT number FROM event WHERE id = ? AND program = ?", .text(id), .text(program)
        ) { $0.integer(0) }
    }

    /// A page of a program's events, the oldest first.
    func events(_ query: EventQuery) throws -> Page<StoredEvent> {
        var start = try query.page.start(in: .events) ?? 0
        let limit = query.page.clampedLimit
        if let after = query.after {
            start = max(start, try number(of: after, program: query.program) ?? 0)
        }
        let rows: [(number: Int64, element: StoredEvent)]
        if let card = query.card {
            rows = try connection.all(
                """
                SELECT number, id, program, card, sequence, type, created_at, members FROM event
                WHERE program = ?1 AND card = ?2 AND number > ?3 AND (?4 IS NULL OR type GLOB ?4)
                ORDER BY number LIMIT ?5
                """, .text(query.program), .text(card), .integer(start), .text(orNull: query.type),
                .integer(Int64(limit + 1)), as: Self.decode)
        } else {
            rows = try connection.all(
                """
                SELECT number, id, program, card, sequence, type, created_at, members FROM event
                WHERE program = ?1 AND number > ?2 AND (?3 IS NULL OR type GLOB ?3) ORDER BY number LIMIT ?4
                """, .text(query.program), .integer(start), .text(orNull: query.type), .integer(Int64(limit + 1)),
                as: Self.decode)
        }
        return Page(rows, limit: limit, of: .events)
    }

    /// Drops some events that were written before a moment, the oldest first, and answers how many.
    func drop(before moment: Timestamp, atMost limit: Int) throws -> Int {
        try connection.run(
            """
            DELETE FROM event WHERE created_at < ?1
            AND number IN (SELECT number FROM event ORDER BY number LIMIT ?2)
            """, .integer(moment.milliseconds), .integer(Int64(limit)))
    }

    /// The card that a column tells of; nil where it is none.
    static func card(_ stored: String) -> String? { stored == noCard ? nil : stored }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) throws -> (number: Int64, element: StoredEvent) {
        (
            row.integer(0),
            StoredEvent(
                id: row.text(1), program: row.text(2), card: card(row.text(3)), sequence: row.integer(4),
                type: row.text(5), createdAt: Timestamp(milliseconds: row.integer(6)),
                members: try [StoredEvent.Member](packed: row.bytes(7)))
        )
    }
}
