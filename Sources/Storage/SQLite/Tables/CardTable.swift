import Provisioning
import SQLite

/// The cards themselves.
struct CardTable {
    let connection: Connection

    /// A card and its number; with a cardholder, only where it is that cardholder's.
    func card(_ key: CardKey, ofCardholder cardholderID: String? = nil) throws -> (number: Int64, card: StoredCard)? {
        let found = try connection.first(
            """
            SELECT number, program, id, cardholder_id, cardholder_name, title, art_url, metadata, created_at, updated_at
            FROM card WHERE program = ?1 AND id = ?2 AND (?3 IS NULL OR cardholder_id = ?3)
            """, .text(key.program), .text(key.id), .text(orNull: cardholderID), as: Self.decode)
        guard let found else { return nil }
        return try whole(found, under: try migrations.inForce(program: key.program))
    }

    /// What the migration in force in its program means for a card; nil where there is none.
    func migration(of card: StoredCard) throws -> CardMigration? {
        try migrations.inForce(program: card.key.program).map {
            try migrations.meaning(of: $0, for: card.key.id, ofCardholder: card.cardholderID)
        }
    }

    /// Some of a program's cards after one, in order of creation: their numbers and ids.
    func numbers(ofProgram program: String, after number: Int64, atMost limit: Int) throws
        -> [(number: Int64, id: String)]
    {
        try connection.all(
            "SELECT number, id FROM card WHERE program = ? AND number > ? ORDER BY number LIMIT ?", .text(program),
            .integer(number), .integer(Int64(limit))
        ) { ($0.integer(0), $0.text(1)) }
    }

    /// Notes that something of a card has changed.
    func touch(_ number: Int64, at moment: Timestamp) throws {
        try connection.run(
            "UPDATE card SET updated_at = max(updated_at, ?) WHERE number = ?", .integer(moment.milliseconds),
            .integer(number))
    }

    /// A card's number; nil where it is unknown.
    func number(of key: CardKey) throws -> Int64? {
        try connection.first(
            "SELECT number FROM card WHERE program = ? AND id = ?", .text(key.program), .text(key.id)
        ) { $0.integer(0) }
    }

    /// One card more than the page holds, in order of creation.
    func cards(_ query: CardQuery) throws -> Page<StoredCard> {
        let start = try query.page.start(in: .cards) ?? 0
        let limit = query.page.clampedLimit
        let rows: [(number: Int64, card: StoredCard)]
        if let cardholder = query.cardholderID {
            rows = try connection.all(
                """
                SELECT number, program, id, cardholder_id, cardholder_name, title, art_url, metadata, created_at,
                    updated_at
                FROM card WHERE program = ?1 AND cardholder_id = ?2 AND number > ?3 AND (?4 IS NULL
                    OR EXISTS (SELECT 1 FROM binding WHERE binding.card = card.number AND connection = ?4))
                ORDER BY number LIMIT ?5
                """, .text(query.program), .text(cardholder), .integer(start), .text(orNull: query.connection),
                .integer(Int64(limit + 1)), as: Self.decode)
        } else {
            rows = try connection.all(
                """
                SELECT number, program, id, cardholder_id, cardholder_name, title, art_url, metadata, created_at,
                    updated_at
                FROM card WHERE program = ?1 AND number > ?2 AND (?3 IS NULL
                    OR EXISTS (SELECT 1 FROM binding WHERE binding.card = card.number AND connection = ?3))
                ORDER BY number LIMIT ?4
                """, .text(query.program), .integer(start), .text(orNull: query.connection),
                .integer(Int64(limit + 1)), as: Self.decode)
        }
        let migration = try migrations.inForce(program: query.program)
        let cards = try rows.map { row in
            let (number, card) = try whole(row, under: migration)
            return (number: number, element: card)
        }
        return Page(cards, limit: limit, of: .cards)
    }

    /// Adds a card without its bindings, and answers its number.
    func insert(_ card: StoredCard) throws -> Int64 {
        let number = try connection.first(
            """
            INSERT INTO card (program, id, cardholder_id, cardholder_name, title, art_url, metadata, created_at,
                updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
            """, .text(card.key.program), .text(card.key.id), .text(card.cardholderID), .text(card.cardholderName),
            .text(orNull: card.title), .text(orNull: card.artURL), .text(orNull: card.metadata),
            .integer(card.createdAt.milliseconds), .integer(card.updatedAt.milliseconds)
        ) { $0.integer(0) }
        guard let number else { throw StoreFailure.broken("A new card was given no number.") }
        return number
    }

    /// Writes a card's own members.
    func update(_ card: StoredCard, number: Int64) throws {
        try connection.run(
            """
            UPDATE card SET cardholder_id = ?, cardholder_name = ?, title = ?, art_url = ?, metadata = ?, updated_at = ?
            WHERE number = ?
            """, .text(card.cardholderID), .text(card.cardholderName), .text(orNull: card.title),
            .text(orNull: card.artURL), .text(orNull: card.metadata), .integer(card.updatedAt.milliseconds),
            .integer(number))
    }

    /// Removes a card and, with it, its bindings.
    func delete(number: Int64) throws { try connection.run("DELETE FROM card WHERE number = ?", .integer(number)) }

    /// A card with its bindings, and with what the migration in force means for it.
    private func whole(_ row: (number: Int64, card: StoredCard), under migration: MigrationTable.Numbered?) throws
        -> (number: Int64, card: StoredCard)
    {
        var row = row
        row.card.bindings = try BindingTable(connection: connection).bindings(ofCard: row.number)
        row.card.migration = try migration.map {
            try migrations.meaning(of: $0, for: row.card.key.id, ofCardholder: row.card.cardholderID)
        }
        return row
    }

    private var migrations: MigrationTable { MigrationTable(connection: connection) }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) throws -> (number: Int64, card: StoredCard) {
        (
            row.integer(0),
            StoredCard(
                key: CardKey(program: row.text(1), id: row.text(2)), cardholderID: row.text(3),
                cardholderName: row.text(4), title: row.optionalText(5), artURL: row.optionalText(6),
                metadata: row.optionalText(7), bindings: [], createdAt: Timestamp(milliseconds: row.integer(8)),
                updatedAt: Timestamp(milliseconds: row.integer(9)))
        )
    }
}
