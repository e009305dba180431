import Provisioning

extension Database {
    /// How many cards' bindings a completed migration changes in one transaction: others wait for it.
    static let settlingLimit = 200

    /// Opens a migration, unless another of its program is in force.
    ///
    /// - Parameter listed: The cards of its cohort, where it goes by a list.
    func open(_ migration: StoredMigration, listing listed: [String], by actor: AuditActor) throws
        -> OpenMigrationResult
    {
        if let other = try migrations.inForce(program: migration.program) { return .conflict(other.element.id) }
        var migration = migration
        let number = try migrations.insert(migration)
        if case .cards = migration.cohort { migration.cohort = .cards(count: try migrations.list(listed, in: number)) }
        try migrations.update(migration, number: number)
        try tell(.created, of: migration, from: nil, by: actor)
        return .opened(migration)
    }

    /// Takes a step, where the migration allows it.
    func take(_ step: MigrationStep, by actor: AuditActor) throws -> MigrationStepResult {
        guard let (number, former) = try migrations.migration(step.migration, program: step.program) else {
            return .unknown
        }
        var next: StoredMigration
        do throws(MigrationStepRefusal) { next = try former.taking(step) } catch { return .refused(error, former) }
        if case .advance(.cards(let cards)) = step.action {
            next.cohort = .cards(count: try migrations.list(cards, in: number))
            if next.cohort == former.cohort { return .taken(former) }
        }
        if next == former { return .taken(former) }
        try migrations.update(next, number: number)
        try tell(step.action.event, of: next, from: former, because: step.look, by: actor)
        return .taken(next)
    }

    private func tell(
        _ event: MigrationEvent, of migration: StoredMigration, from former: StoredMigration?,
        because look: GuardLook? = nil, by actor: AuditActor
    ) throws {
        let change = chain.difference(former?.auditMembers ?? [], migration.auditMembers)
        try audit.append(
            "migration.\(event.rawValue)", on: CardKey(program: migration.program, id: migration.id), by: actor,
            at: migration.updatedAt, before: change.before, after: change.after)
        try events.append(
            .migration(event), ofProgram: migration.program, at: migration.updatedAt,
            migration.eventMembers(from: former?.status) + (look?.eventMembers ?? []))
    }

    /// Changes the bindings of some more cards of a completed migration: those that are bound at `to` are served by it
    /// from now on, whatever migrations there are. Until the last one is changed, the migration routes them all. Answers
    /// how many cards it looked at; 0 once no migration has anything left to change.
    func settleMigration(at now: Timestamp, atMost limit: Int = settlingLimit) throws -> Int {
        guard let (numbered, through) = try migrations.settling() else { return 0 }
        let number = numbered.number
        var migration = numbered.element
        let batch = try cards.numbers(ofProgram: migration.program, after: through, atMost: limit)
        for card in batch {
            let changes = try bindings.bindings(ofCard: card.number).takenOver(from: migration.from, to: migration.to)
            if changes.isEmpty { continue }
            for (former, next) in changes {
                try bindings.set(next.state, at: next.card.connection, card: card.number)
                try events.append(
                    .cardBindingChanged, of: CardKey(program: migration.program, id: card.id), at: now,
                    next.eventMembers(from: former, provider: nil) + [.init("migration", migration.id)])
            }
            try cards.touch(card.number, at: now)
        }
        if let last = batch.last { try migrations.settle(number, through: last.number) }
        if batch.count < limit {
            migration.settledAt = now
            migration.updatedAt = max(migration.updatedAt, now)
            try migrations.update(migration, number: number)
        }
        return max(batch.count, 1)
    }
}
