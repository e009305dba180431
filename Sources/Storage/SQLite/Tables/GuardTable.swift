import Provisioning
import SQLite

/// How far the guards of migrations have come, and what they saw.
struct GuardTable {
    /// A row of a guard: all but its looks.
    struct Watch {
        let round: Int
        let beganAt: Timestamp
        let stoppedAt: Timestamp?
        let lookedAt: Timestamp?
        let dueAt: Timestamp

        init<R: StoredRow & ~Copyable>(_ row: borrowing R) {
            round = Int(row.integer(0))
            beganAt = Timestamp(milliseconds: row.integer(1))
            stoppedAt = row.optionalInteger(2).map(Timestamp.init(milliseconds:))
            lookedAt = row.optionalInteger(3).map(Timestamp.init(milliseconds:))
            dueAt = Timestamp(milliseconds: row.integer(4))
        }

        func watch(of migration: StoredMigration, looks: [GuardLook]) -> GuardWatch {
            var watch = GuardWatch(migration: migration, round: round, beganAt: beganAt, dueAt: dueAt)
            (watch.stoppedAt, watch.lookedAt, watch.looks) = (stoppedAt, lookedAt, looks)
            return watch
        }
    }

    let connection: Connection

    /// Migrations whose guards may be due, and that no instance looks at: of a migration that a guard has stopped, once
    /// it goes on.
    func due(at now: Timestamp, atMost limit: Int) throws -> [(id: String, program: String)] {
        try connection.all(
            """
            SELECT migration.id, migration.program FROM migration
            LEFT JOIN guard_watch ON guard_watch.migration = migration.id
            WHERE is_in_force = 1 AND mode = 'live' AND guard_action IS NOT NULL
                AND (status = 'open' OR status = 'paused' AND guard_action = 'rollback')
                AND ifnull(due_at, migration.created_at + ?1) <= ?2 AND ifnull(lease_until, 0) <= ?2
            ORDER BY migration.number LIMIT ?3
            """, .integer(GuardWatch.intervalMilliseconds), .integer(now.milliseconds), .integer(Int64(limit))
        ) { ($0.text(0), $0.text(1)) }
    }

    /// How far the guard of a migration has come; nil where it has not looked yet.
    func watch(of migration: StoredMigration) throws -> GuardWatch? {
        let found = try connection.first(
            "SELECT round, began_at, stopped_at, looked_at, due_at FROM guard_watch WHERE migration = ?",
            .text(migration.id)
        ) { Watch($0) }
        return try found.map { $0.watch(of: migration, looks: try looks(of: migration.id, round: $0.round)) }
    }

    private func looks(of migration: String, round: Int) throws -> [GuardLook] {
        try connection.all(
            """
            SELECT stage, number, at, from_observed, from_succeeded, to_observed, to_succeeded, p_value, level, is_tripped
            FROM guard_look WHERE migration = ? AND round = ? ORDER BY at, stage DESC, number
            """, .text(migration), .integer(Int64(round)), as: Self.decode)
    }

    /// Writes how far a guard has come, and who looks.
    func put(_ watch: GuardWatch, leasedTo holder: String?, until moment: Timestamp?) throws {
        try connection.run(
            """
            INSERT INTO guard_watch (migration, round, began_at, stopped_at, looked_at, due_at, lease_holder, lease_until)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (migration) DO UPDATE SET round = ?2, began_at = ?3,
                stopped_at = ?4, looked_at = ?5, due_at = ?6, lease_holder = ?7, lease_until = ?8
            """, .text(watch.migration.id), .integer(Int64(watch.round)), .integer(watch.beganAt.milliseconds),
            .integer(orNull: watch.stoppedAt?.milliseconds), .integer(orNull: watch.lookedAt?.milliseconds),
            .integer(watch.dueAt.milliseconds), .text(orNull: holder), .integer(orNull: moment?.milliseconds))
    }

    /// Whether this instance looks, in the round that it claimed.
    func isHeld(_ watch: GuardWatch, by holder: String) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM guard_watch WHERE migration = ? AND round = ? AND lease_holder = ?",
            .text(watch.migration.id), .integer(Int64(watch.round)), .text(holder)
        ) { _ in true } ?? false
    }

    /// Keeps a look that counted.
    func insert(_ look: GuardLook, of watch: GuardWatch) throws {
        try connection.run(
            """
            INSERT INTO guard_look (migration, round, stage, number, at, from_observed, from_succeeded, to_observed,
                to_succeeded, p_value, level, is_tripped)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(watch.migration.id), .integer(Int64(watch.round)), .text(look.stage.rawValue),
            .integer(Int64(look.number)), .integer(look.at.milliseconds), .integer(Int64(look.from.observed)),
            .integer(Int64(look.from.succeeded)), .integer(Int64(look.to.observed)),
            .integer(Int64(look.to.succeeded)), .text(String(look.pValue)), .text(String(look.level)),
            .integer(look.isTripped ? 1 : 0))
    }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) throws -> GuardLook {
        guard let pValue = Double(row.text(7)), let level = Double(row.text(8)) else {
            throw StoreFailure.broken("A guard's probability is no number.")
        }
        return GuardLook(
            stage: try SwitchStage(stored: row.text(0)), number: Int(row.integer(1)),
            at: Timestamp(milliseconds: row.integer(2)),
            from: StageTally(observed: Int(row.integer(3)), succeeded: Int(row.integer(4))),
            to: StageTally(observed: Int(row.integer(5)), succeeded: Int(row.integer(6))), pValue: pValue,
            level: level, isTripped: row.integer(9) != 0)
    }
}
