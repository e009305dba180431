import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// A migration in force, with its row's number, and whether it lists the card that was asked for.
    struct MigrationInForce {
        let number: Int64
        let element: StoredMigration
        var isListed: Bool

        /// What it means for the card.
        func meaning(ofCardholder cardholder: String) -> CardMigration {
            CardMigration(element, ofCardholder: cardholder) { isListed }
        }
    }

    /// Asks for the migration that is in force in a program, and whether it lists a card.
    func askForMigrationInForce(program: String, card: String) -> Answer<MigrationInForce> {
        sql.ask(
            """
            SELECT migration.*, EXISTS
                (SELECT 1 FROM migration_card WHERE migration_card.migration = migration.number AND card = $2)
            FROM migration WHERE program = $1 AND is_in_force = 1
            """, .text(program), .text(card)
        ) { row in
            let (number, migration) = try MigrationTable.decode(row)
            return MigrationInForce(number: number, element: migration, isListed: row.integer(22) != 0)
        }
    }

    /// The migrations that are in force, of every program.
    func migrationsInForce() async throws -> [StoredMigration] {
        try await sql.all(
            "SELECT * FROM migration WHERE is_in_force = 1 ORDER BY number", as: MigrationTable.decode
        ).map(\.element)
    }

    /// Those of some cards that a migration lists.
    func listed(_ cards: [String], in migration: Int64) async throws -> Set<String> {
        Set(
            try await sql.all(
                "SELECT card FROM migration_card WHERE migration = $1 AND card = ANY(string_to_array($2, ','))",
                .integer(migration), .text(cards.joined(separator: ","))
            ) { $0.text(0) })
    }

    /// The migration of that program and id.
    func migration(_ id: String, program: String) async throws -> StoredMigration? {
        try await sql.first(
            "SELECT * FROM migration WHERE id = $1 AND program = $2", .text(id), .text(program),
            as: MigrationTable.decode)?.element
    }

    /// A page of a program's migrations, the newest first.
    func migrations(_ query: MigrationQuery) async throws -> Page<StoredMigration> {
        let start = try query.page.start(in: .migrations) ?? .max
        let limit = query.page.clampedLimit
        let rows = try await sql.all(
            """
            SELECT * FROM migration WHERE program = $1 AND number < $2 AND ($3::text IS NULL OR status = $3)
            ORDER BY number DESC LIMIT $4
            """, .text(query.program), .integer(start), .text(orNull: query.status?.rawValue),
            .integer(Int64(limit + 1)), as: MigrationTable.decode)
        return Page(rows, limit: limit, of: .migrations)
    }

    /// Opens a migration, unless another of its program is in force.
    ///
    /// - Parameter listed: The cards of its cohort, where it goes by a list.
    func open(_ migration: StoredMigration, listing listed: [String], by actor: AuditActor) async throws
        -> OpenMigrationResult
    {
        openTrail(of: migration.program)
        lock(.routing(migration.program))
        let other = askForMigrationInForce(program: migration.program, card: "")
        try await sql.send()
        if let other = other.first { return .conflict(other.element.id) }
        var migration = migration
        let number = try await insert(migration)
        if case .cards = migration.cohort {
            migration.cohort = .cards(count: try await list(listed, in: number))
        }
        update(migration, number: number)
        tell(.created, of: migration, from: nil, by: actor)
        return .opened(migration)
    }

    /// Takes a step, where the migration allows it. Every reservation that began before has ended by then.
    func take(_ step: MigrationStep, by actor: AuditActor) async throws -> MigrationStepResult {
        openTrail(of: step.program)
        lock(.routing(step.program))
        let found = try await sql.first(
            "SELECT * FROM migration WHERE id = $1 AND program = $2 FOR UPDATE", .text(step.migration),
            .text(step.program), as: MigrationTable.decode)
        guard let (number, former) = found else { return .unknown }
        var next: StoredMigration
        do throws(MigrationStepRefusal) { next = try former.taking(step) } catch { return .refused(error, former) }
        if case .advance(.cards(let cards)) = step.action {
            next.cohort = .cards(count: try await list(cards, in: number))
            if next.cohort == former.cohort { return .taken(former) }
        }
        if next == former { return .taken(former) }
        update(next, number: number)
        tell(step.action.event, of: next, from: former, because: step.look, by: actor)
        return .taken(next)
    }

    private func tell(
        _ event: MigrationEvent, of migration: StoredMigration, from former: StoredMigration?,
        because look: GuardLook? = nil, by actor: AuditActor
    ) {
        let change = chain.difference(former?.auditMembers ?? [], migration.auditMembers)
        append(
            "migration.\(event.rawValue)", on: CardKey(program: migration.program, id: migration.id), by: actor,
            at: migration.updatedAt, before: change.before, after: change.after)
        tell(
            .migration(event), of: CardKey(program: migration.program, id: EventTable.noCard),
            at: migration.updatedAt, migration.eventMembers(from: former?.status) + (look?.eventMembers ?? []))
    }

    private func insert(_ migration: StoredMigration) async throws -> Int64 {
        let number = try await sql.first(
            """
            INSERT INTO migration (id, program, source, target, mode, cards, guard_min_attempts, guard_margin,
                guard_action, allows_stranded, status, created_at, updated_at, advanced_at, is_in_force)
            VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9, $10, $11, $12, $13, 1) RETURNING number
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
    private func list(_ cards: [String], in number: Int64) async throws -> Int {
        sql.run(
            """
            INSERT INTO migration_card (migration, card) SELECT $1, unnest(string_to_array($2, ','))
            ON CONFLICT DO NOTHING
            """, .integer(number), .text(cards.joined(separator: ",")))
        return try await sql.first("SELECT count(*) FROM migration_card WHERE migration = $1", .integer(number)) {
            Int($0.integer(0))
        } ?? 0
    }

    private func update(_ migration: StoredMigration, number: Int64) {
        var (percent, cards): (Int64?, Int64) = (nil, 0)
        switch migration.cohort {
        case .percent(let basisPoints): percent = Int64(basisPoints)
        case .cards(let count): cards = Int64(count)
        }
        sql.run(
            """
            UPDATE migration SET percent = $1, cards = $2, status = $3, why = $4, updated_at = $5, advanced_at = $6,
                ended_at = $7, settled_at = $8, is_in_force = $9
            WHERE number = $10
            """, .integer(orNull: percent), .integer(cards), .text(migration.status.rawValue),
            .text(orNull: migration.why), .integer(migration.updatedAt.milliseconds),
            .integer(migration.advancedAt.milliseconds), .integer(orNull: migration.endedAt?.milliseconds),
            .integer(orNull: migration.settledAt?.milliseconds), .integer(migration.isInForce ? 1 : 0),
            .integer(number))
    }
}
