import ProviderKit
import Provisioning
public import Storage

extension Gateway {
    /// How long a caller waits for a completed migration to change bindings: what is left then is changed by the sweep.
    private static var settlingPatience: Duration { .seconds(2) }

    /// Opens a migration. In mode `live`, routing goes by it from the moment on at which this returns, in every instance.
    ///
    /// - Throws: `invalid_request` at the member at fault; `migration_would_strand_cards`, unless that is allowed or nobody
    ///   is moved; `migration_conflict` where another of the program is in force.
    public func openMigration(_ draft: MigrationDraft, actor: AuditActor) async throws(Problem)
        -> (migration: StoredMigration, preflight: Preflight)
    {
        guard let program = directory.programs[draft.program] else { throw Problem(.programNotFound) }
        let from = try connection(draft.from, of: program, at: "/from")
        let to = try connection(draft.to, of: program, at: "/to")
        if from.name == to.name { throw .member("/to", "must be another connection than `from`") }
        let preflight = try await preflight(draft, of: program, from: from, to: to)
        if draft.mode == .live, preflight.strandsAnyone, !draft.allowsStranded { throw Problem(stranding: preflight) }
        var (cohort, cards) = (StoredMigration.Cohort.cards(count: 0), [String]())
        switch draft.cohort {
        case .percent(let basisPoints): cohort = .percent(basisPoints: basisPoints)
        case .cards(let listed): cards = listed
        }
        let migration = StoredMigration(
            id: makeID("mig_"), program: program.name, from: from.name, to: to.name, mode: draft.mode, cohort: cohort,
            guard: draft.guard, allowsStranded: draft.allowsStranded, at: clock.now)
        let result: OpenMigrationResult
        do throws(StoreFailure) {
            result = try await store.open(migration, listing: cards, audit: actor)
        } catch {
            throw Problem(store: error)
        }
        switch result {
        case .opened(let migration):
            traffic.outgoing.raise()
            return (migration, preflight)
        case .conflict(let other):
            throw Problem(.migrationConflict, detail: "The migration \(other) of the program is in force.")
        }
    }

    /// The migration.
    ///
    /// - Throws: `migration_not_found`.
    public func migration(_ id: String, program: String) async throws(Problem) -> StoredMigration {
        do throws(StoreFailure) {
            if let migration = try await store.migration(id, program: program) { return migration }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.migrationNotFound)
    }

    /// The program's migrations, the newest first, a page at a time.
    public func migrations(_ query: MigrationQuery) async throws(Problem) -> Page<StoredMigration> {
        try await page(query.page, of: ["migrations", query.program, query.status?.rawValue]) {
            page throws(StoreFailure) in
            var query = query
            query.page = page
            return try await store.migrations(query)
        }
    }

    /// Takes a step with a migration. Every attempt that is reserved after it, in any instance, goes by it.
    ///
    /// - Parameter why: Why, where no caller asked for it.
    /// - Throws: `migration_not_found`; `migration_conflict` where its status does not allow the step; `invalid_request`
    ///   at the member of a cohort that does not grow; `migration_would_strand_cards` where a completion would leave cards
    ///   behind that nobody has allowed.
    public func take(
        _ action: MigrationStep.Action, with id: String, program: String, why: String? = nil, actor: AuditActor
    ) async throws(Problem) -> StoredMigration {
        if action == .complete { try await checkNobodyIsLeftBehind(by: id, program: program) }
        let step = MigrationStep(migration: id, program: program, action: action, why: why, at: clock.now)
        let result: MigrationStepResult
        do throws(StoreFailure) { result = try await store.take(step, audit: actor) } catch {
            throw Problem(store: error)
        }
        switch result {
        case .unknown: throw Problem(.migrationNotFound)
        case .refused(let refusal, let migration): throw Problem(refusal, of: migration)
        case .taken(let migration):
            traffic.outgoing.raise()
            return action == .complete ? try await settled(migration) : migration
        }
    }

    /// Counts an attempt that an app could do with neither side of. No answer is held back where that cannot be written.
    func countAppCannot(in migration: String, program: String) async {
        do throws(StoreFailure) { try await store.countAppCannot(in: migration, program: program) } catch {
            report(StoreTrouble(failure: error, provisioning: nil))
        }
    }

    private func connection(_ name: String, of program: Program, at pointer: String) throws(Problem) -> Connection {
        guard program.connections.contains(name), let connection = directory.connections[name] else {
            throw .member(pointer, "is not one of the program's connections")
        }
        return connection
    }

    /// Cards may have come since the migration was opened.
    private func checkNobodyIsLeftBehind(by id: String, program: String) async throws(Problem) {
        let migration = try await migration(id, program: program)
        guard migration.status == .open, migration.mode == .live, migration.cohort == .everyone,
            !migration.allowsStranded
        else { return }
        let reach = try await reach(
            MigrationReachQuery(program: program, from: migration.from, to: migration.to))
        if reach.withoutBinding > 0 {
            throw Problem(
                .migrationWouldStrandCards,
                detail: "\(reach.withoutBinding) of the \(reach.cards) cards that `from` would leave have no binding "
                    + "at `to`.")
        }
    }

    /// Changes the bindings of a completed migration's cards as far as that is quickly done.
    private func settled(_ migration: StoredMigration) async throws(Problem) -> StoredMigration {
        let end = ContinuousClock.now + Self.settlingPatience
        do throws(StoreFailure) {
            while .now < end, try await store.settleMigration(at: clock.now) {}
        } catch {
            // It is completed all the same: routing goes by it, and the sweep changes what is left.
            report(StoreTrouble(failure: error, provisioning: nil))
            return migration
        }
        return try await self.migration(migration.id, program: migration.program)
    }
}

extension Problem {
    fileprivate init(_ refusal: MigrationStepRefusal, of migration: StoredMigration) {
        switch refusal {
        case .status:
            self.init(
                .migrationConflict,
                detail: "The migration's status is \(migration.status.rawValue): this step is not possible.")
        case .isShadow:
            self.init(
                .migrationConflict, detail: "A shadow moves no card. Roll it back, and open a live migration.")
        case .isPartial:
            self.init(
                .migrationConflict, detail: "Only a migration of 100 percent can be completed. Advance it first.")
        case .shrinks: self = .member("/cohort/percent", "is less than it is; a cohort only grows")
        case .goesByPercent: self = .member("/cohort/cards", "cannot be added to a cohort that goes by percent")
        case .goesByList: self = .member("/cohort/percent", "must be 100, or name cards: the cohort is a list of them")
        }
    }
}
