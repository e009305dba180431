import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Whether a guard may be due that no instance looks at.
    func isAnyGuardDue(at now: Timestamp) async throws -> Bool {
        let due = askForDueGuards(at: now, atMost: 1)
        try await sql.send()
        return due.first != nil
    }

    /// Migrations whose guards may be due, and that no instance looks at: of a migration that a guard has stopped, once
    /// it goes on.
    private func askForDueGuards(at now: Timestamp, atMost limit: Int) -> Answer<StoredMigration> {
        sql.ask(
            """
            SELECT migration.* FROM migration
            LEFT JOIN guard_watch ON guard_watch.migration = migration.id
            WHERE is_in_force = 1 AND mode = 'live' AND guard_action IS NOT NULL
                AND (status = 'open' OR status = 'paused' AND guard_action = 'rollback')
                AND coalesce(due_at, migration.created_at + $1) <= $2 AND coalesce(lease_until, 0) <= $2
            ORDER BY migration.number LIMIT $3
            """, .integer(GuardWatch.intervalMilliseconds), .integer(now.milliseconds), .integer(Int64(limit))
        ) { try MigrationTable.decode($0).element }
    }

    /// Claims migrations whose guards are due: one instance chooses at a time, so that no two look at one, and none looks
    /// twice.
    func claim(_ claim: GuardClaim) async throws -> [GuardWatch] {
        lock(.guards)
        let due = askForDueGuards(at: claim.now, atMost: claim.limit)
        try await sql.send()
        let known = due.rows.map { (migration: $0, watch: askForWatch(of: $0.id)) }
        try await sql.send()
        var claimed: [GuardWatch] = []
        for (migration, known) in known {
            let watch = known.watch(of: migration).due(of: migration, at: claim.now)
            let isDue = watch.dueAt <= claim.now
            put(watch, leasedTo: isDue ? claim.holder : nil, until: isDue ? claim.leaseUntil : nil)
            if isDue { claimed.append(watch) }
        }
        return claimed
    }

    /// Keeps the looks of a guard that counted, and where one of them tripped it, takes the guard's step. What became of
    /// the step; nil where there was none.
    func finish(_ end: GuardEnd) async throws -> MigrationStepResult? {
        var watch = end.watch
        lock(.guards)
        let isHeld = try await sql.first(
            "SELECT 1 FROM guard_watch WHERE migration = $1 AND round = $2 AND lease_holder = $3",
            .text(watch.migration.id), .integer(Int64(watch.round)), .text(end.holder)
        ) { _ in true }
        guard isHeld == true else { return nil }
        for look in end.looks { insert(look, of: watch) }
        var result: MigrationStepResult?
        if let step = end.step {
            let taken = try await take(step, by: .guard)
            if case .taken = taken { watch.stoppedAt = end.at }
            result = taken
        }
        watch.lookedAt = end.at
        watch.dueAt = watch.dueAt(after: end.at)
        put(watch, leasedTo: nil, until: nil)
        return result
    }

    // MARK: Watches

    /// What is known of a guard.
    struct WatchAnswer {
        fileprivate let found: Answer<GuardTable.Watch>
        fileprivate let looks: Answer<GuardLook>

        /// How far it has come; nil where it has not looked yet.
        func watch(of migration: StoredMigration) -> GuardWatch? {
            found.first?.watch(of: migration, looks: looks.rows)
        }
    }

    /// Asks how far a migration's guard has come.
    func askForWatch(of migration: String) -> WatchAnswer {
        WatchAnswer(
            found: sql.ask(
                "SELECT round, began_at, stopped_at, looked_at, due_at FROM guard_watch WHERE migration = $1",
                .text(migration)
            ) { GuardTable.Watch($0) },
            looks: sql.ask(
                """
                SELECT stage, number, at, from_observed, from_succeeded, to_observed, to_succeeded, p_value, level,
                    is_tripped
                FROM guard_look JOIN guard_watch USING (migration, round) WHERE migration = $1
                ORDER BY at, stage DESC, number
                """, .text(migration)
            ) { try GuardTable.decode($0) })
    }

    private func put(_ watch: GuardWatch, leasedTo holder: String?, until moment: Timestamp?) {
        sql.run(
            """
            INSERT INTO guard_watch (migration, round, began_at, stopped_at, looked_at, due_at, lease_holder, lease_until)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (migration) DO UPDATE SET round = $2, began_at = $3,
                stopped_at = $4, looked_at = $5, due_at = $6, lease_holder = $7, lease_until = $8
            """, .text(watch.migration.id), .integer(Int64(watch.round)), .integer(watch.beganAt.milliseconds),
            .integer(orNull: watch.stoppedAt?.milliseconds), .integer(orNull: watch.lookedAt?.milliseconds),
            .integer(watch.dueAt.milliseconds), .text(orNull: holder), .integer(orNull: moment?.milliseconds))
    }

    private func insert(_ look: GuardLook, of watch: GuardWatch) {
        sql.run(
            """
            INSERT INTO guard_look (migration, round, stage, number, at, from_observed, from_succeeded, to_observed,
                to_succeeded, p_value, level, is_tripped)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """, .text(watch.migration.id), .integer(Int64(watch.round)), .text(look.stage.rawValue),
            .integer(Int64(look.number)), .integer(look.at.milliseconds), .integer(Int64(look.from.observed)),
            .integer(Int64(look.from.succeeded)), .integer(Int64(look.to.observed)),
            .integer(Int64(look.to.succeeded)), .text(String(look.pValue)), .text(String(look.level)),
            .integer(look.isTripped ? 1 : 0))
    }
}
