import Provisioning
import SQLite

/// The migrations, and the cards that some of them list.
struct MigrationTable {
    /// A migration with its row's number.
    typealias Numbered = (number: Int64, element: StoredMigration)

    let connection: Connection

    /// The migration that is in force in a program; one at most.
    func inForce(program: String) throws -> Numbered? {
        try connection.first(
            "SELECT * FROM migration WHERE program = ? AND is_in_force = 1", .text(program), as: Self.decode)
    }

    /// The migrations that are in force, of every program.
    func allInForce() throws -> [StoredMigration] {
        try connection.all(
            "SELECT * FROM migration WHERE is_in_force = 1 ORDER BY number", as: Self.decode
        ).map(\.element)
    }

    /// What a migration that is in force means for one of its program's cards.
    func meaning(of migration: Numbered, for card: String, ofCardholder cardholder: String) throws -> CardMigration {
        try CardMigration(migration.element, ofCardholder: cardholder) { try lists(card, in: migration.number) }
    }

    private func lists(_ card: String, in number: Int64) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM migration_card WHERE migration = ? AND card = ?", .integer(number), .text(card)
        ) { _ in true } ?? false
    }

    /// The migration of that program and id.
    func migration(_ id: String, program: String) throws -> Numbered? {
        try connection.first(
            "SELECT * FROM migration WHERE id = ? AND program = ?", .text(id), .text(program), as: Self.decode)
    }

    /// A page of a program's migrations, the newest first.
    func migrations(_ query: MigrationQuery) throws -> Page<StoredMigration> {
        let start = try query.page.start(in: .migrations) ?? .max
        let limit = query.page.clampedLimit
        let rows = try connection.all(
            """
            SELECT * FROM migration WHERE program = ?1 AND number < ?2 AND (?3 IS NULL OR status = ?3)
            ORDER BY number DESC LIMIT ?4
            """, .text(query.program), .integer(start), .text(orNull: query.status?.rawValue),
            .integer(Int64(limit + 1)), as: Self.decode)
        return Page(rows, limit: limit, of: .migrations)
    }

    /// Adds a migration, and answers its number.
    func insert(_ migration: StoredMigration) throws -> Int64 {
        let number = try connection.first(
            """
            INSERT INTO migration (id, program, source, target, mode, cards, guard_min_attempts, guard_margin,
                guard_action, allows_stranded, status, created_at, updated_at, advanced_at, is_in_force)
            VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, 1) RETURNING number
            """, .text(migration.id), .text(migration.program), .text(migration.from), .text(migration.to),
            .text(migration.mode.rawValue), .integer(orNull: migration.guard.map { Int64($0.minAttempts) }),
            .text(orNull: migration.guard.map { String($0.margin) }), .text(orNull: migration.guard?.action.rawValue),
            .integer(migration.allowsStranded ? 1 : 0), .text(migration.status.rawValue),
            .integer(migration.createdAt.milliseconds), .integer(migration.updatedAt.milliseconds),
            .integer(migration.advancedAt.milliseconds)
        ) { $0.integer(0) }
        guard let number else { throw StoreFailure.broken("A new migration was given no number.") }
        return number
    }

    /// Adds cards to a list, and answers how many it has.
    func list(_ cards: [String], in number: Int64) throws -> Int {
        for card in cards {
            try connection.run(
                "INSERT INTO migration_card (migration, card) VALUES (?, ?) ON CONFLICT DO NOTHING", .integer(number),
                .text(card))
        }
        let count = try connection.first(
            "SELECT count(*) FROM migration_card WHERE migration = ?", .integer(number)
        ) { Int($0.integer(0)) }
        return count ?? 0
    }

    /// Writes what may change of a migration.
    func update(_ migration: StoredMigration, number: Int64) throws {
        var (percent, cards): (Int64?, Int64) = (nil, 0)
        switch migration.cohort {
        case .percent(let basisPoints): percent = Int64(basisPoints)
        case .cards(let count): cards = Int64(count)
        }
        try connection.run(
            """
            UPDATE migration SET percent = ?, cards = ?, status = ?, why = ?, updated_at = ?, advanced_at = ?,
                ended_at = ?, settled_at = ?, is_in_force = ?
            WHERE number = ?
            """, .integer(orNull: percent), .integer(cards), .text(migration.status.rawValue),
            .text(orNull: migration.why), .integer(migration.updatedAt.milliseconds),
            .integer(migration.advancedAt.milliseconds), .integer(orNull: migration.endedAt?.milliseconds),
            .integer(orNull: migration.settledAt?.milliseconds), .integer(migration.isInForce ? 1 : 0),
            .integer(number))
    }

    /// A completed migration that is still changing bindings, and the last card that it has come to.
    func settling() throws -> (migration: Numbered, through: Int64)? {
        try connection.first(
            """
            SELECT * FROM migration WHERE is_in_force = 1 AND status = 'completed' ORDER BY number LIMIT 1
            """
        ) { row in (try Self.decode(row), row.integer(20)) }
    }

    /// Keeps how far a completed migration has come.
    func settle(_ number: Int64, through card: Int64) throws {
        try connection.run(
            "UPDATE migration SET settled_through = ? WHERE number = ?", .integer(card), .integer(number))
    }

    /// Counts an attempt that neither side could serve, for the app build's sake.
    func countRefusal(of id: String, program: String) throws {
        try connection.run(
            "UPDATE migration SET refused_attempts = refused_attempts + 1 WHERE id = ? AND program = ?", .text(id),
            .text(program))
    }

    /// The attempts whose app build did not know the routed side's handoff.
    func appCannot(in id: String, program: String) throws -> AppCannotCount? {
        try connection.first(
            """
            SELECT refused_attempts, (SELECT count(*) FROM provisioning
                WHERE provisioning.migration = migration.id AND detour = 'accept')
            FROM migration WHERE id = ? AND program = ?
            """, .text(id), .text(program)
        ) { AppCannotCount(served: Int($0.integer(1)), refused: Int($0.integer(0))) }
    }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) throws -> Numbered {
        var migration = StoredMigration(
            id: row.text(1), program: row.text(2), from: row.text(3), to: row.text(4),
            mode: try StoredMigration.Mode(stored: row.text(5)),
            cohort: row.optionalInteger(6).map { .percent(basisPoints: Int($0)) } ?? .cards(count: Int(row.integer(7))),
            allowsStranded: row.integer(11) != 0, at: Timestamp(milliseconds: row.integer(14)))
        if let minAttempts = row.optionalInteger(8) {
            guard let margin = Double(row.text(9)) else {
                throw StoreFailure.broken("The margin of a migration's guard is no number.")
            }
            migration.guard = StoredMigration.Guard(
                minAttempts: Int(minAttempts), margin: margin,
                action: try StoredMigration.Guard.Action(stored: row.text(10)))
        }
        migration.status = try StoredMigration.Status(stored: row.text(12))
        migration.why = row.optionalText(13)
        migration.updatedAt = Timestamp(milliseconds: row.integer(15))
        migration.advancedAt = Timestamp(milliseconds: row.integer(16))
        migration.endedAt = row.optionalInteger(17).map(Timestamp.init(milliseconds:))
        migration.settledAt = row.optionalInteger(18).map(Timestamp.init(milliseconds:))
        return (row.integer(0), migration)
    }
}
