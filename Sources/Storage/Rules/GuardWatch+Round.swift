import Provisioning

extension Optional<GuardWatch> {
    /// The watch of a migration whose guard may be due: one that begins where there was none, and the next round where the
    /// guard stopped the migration and somebody lets that go on, since what was seen before is known.
    func due(of migration: StoredMigration, at now: Timestamp) -> GuardWatch {
        guard let known = self else {
            return GuardWatch(migration: migration, beganAt: migration.createdAt, dueAt: now)
        }
        if known.stoppedAt == nil { return known }
        var watch = GuardWatch(
            migration: migration, round: known.round + 1, beganAt: migration.updatedAt, dueAt: now)
        watch.dueAt = watch.dueAt(after: migration.updatedAt)
        return watch
    }
}

extension GuardEnd {
    /// The step that the guard takes; nil where no look tripped it.
    var step: MigrationStep? {
        guard let look = looks.first(where: \.isTripped), let action = watch.migration.guard?.action else { return nil }
        return MigrationStep(
            migration: watch.migration.id, program: watch.migration.program,
            action: action == .rollback ? .rollback : .pause, why: look.words, look: look, at: at)
    }
}

extension AuditActor {
    /// The guard of a migration.
    static let `guard` = AuditActor(name: "guard")
}
