import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Changes the bindings of some more cards of a completed migration. Answers how many cards it looked at; 0 once no
    /// migration has anything left to change.
    func settleMigration(at now: Timestamp, atMost limit: Int = Database.settlingLimit) async throws -> Int {
        let found = try await sql.first(
            """
            SELECT * FROM migration WHERE is_in_force = 1 AND status = 'completed' ORDER BY number LIMIT 1 FOR UPDATE
            """
        ) { row in (numbered: try MigrationTable.decode(row), through: row.integer(20)) }
        guard let (numbered, through) = found else { return 0 }
        let number = numbered.number
        var migration = numbered.element
        let batch = try await sql.all(
            "SELECT number, id FROM card WHERE program = $1 AND number > $2 ORDER BY number LIMIT $3 FOR UPDATE",
            .text(migration.program), .integer(through), .integer(Int64(limit))
        ) { (number: $0.integer(0), id: $0.text(1)) }
        let bindings = askForBindings(ofCards: batch.map(\.number))
        try await sql.send()
        let standing = Dictionary(grouping: bindings.rows, by: \.card)
        var changed: [Int64] = []
        for card in batch {
            let changes = (standing[card.number] ?? []).map(\.binding)
                .takenOver(from: migration.from, to: migration.to)
            if changes.isEmpty { continue }
            changed.append(card.number)
            for (former, next) in changes {
                set(next.state, at: next.card.connection, card: card.number)
                tell(
                    .cardBindingChanged, of: CardKey(program: migration.program, id: card.id), at: now,
                    next.eventMembers(from: former, provider: nil) + [.init("migration", migration.id)])
            }
        }
        sql.run(
            "UPDATE card SET updated_at = greatest(updated_at, $1) WHERE number = ANY($2::text::bigint[])",
            .integer(now.milliseconds), Self.list(changed))
        if let last = batch.last {
            sql.run(
                "UPDATE migration SET settled_through = $1 WHERE number = $2", .integer(last.number),
                .integer(number))
        }
        if batch.count < limit {
            migration.settledAt = now
            migration.updatedAt = max(migration.updatedAt, now)
            sql.run(
                "UPDATE migration SET settled_at = $1, updated_at = $2, is_in_force = $3 WHERE number = $4",
                .integer(now.milliseconds), .integer(migration.updatedAt.milliseconds),
                .integer(migration.isInForce ? 1 : 0), .integer(number))
        }
        return max(batch.count, 1)
    }

    /// How many cards a migration would move.
    func reach(_ query: MigrationReachQuery) async throws -> MigrationReach {
        let reach = try await sql.first(
            """
            SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM binding target
                WHERE target.card = source.card AND target.connection = $3 AND target.state <> 'retired'))
            FROM binding source JOIN card ON card.number = source.card
            WHERE source.connection = $2 AND source.state = 'active' AND program = $1
                AND ($4::text IS NULL OR id = ANY(string_to_array($4, ',')))
            """, .text(query.program), .text(query.from), .text(query.to),
            .text(orNull: query.cards?.joined(separator: ","))
        ) { MigrationReach(cards: Int($0.integer(0)), withoutBinding: Int($0.integer(1))) }
        return reach ?? MigrationReach(cards: 0, withoutBinding: 0)
    }

    /// Counts an attempt that neither side could serve, for the app build's sake.
    func countRefusal(of id: String, program: String) {
        sql.run(
            "UPDATE migration SET refused_attempts = refused_attempts + 1 WHERE id = $1 AND program = $2", .text(id),
            .text(program))
    }

    /// The attempts whose app build did not know the routed side's handoff.
    func appCannot(in id: String, program: String) async throws -> AppCannotCount? {
        let count = askForAppCannot(in: id, program: program)
        try await sql.send()
        return count.first
    }

    /// Asks for the same.
    func askForAppCannot(in id: String, program: String) -> Answer<AppCannotCount> {
        sql.ask(
            """
            SELECT refused_attempts, (SELECT count(*) FROM provisioning
                WHERE provisioning.migration = migration.id AND detour = 'accept')
            FROM migration WHERE id = $1 AND program = $2
            """, .text(id), .text(program)
        ) { AppCannotCount(served: Int($0.integer(1)), refused: Int($0.integer(0))) }
    }
}
