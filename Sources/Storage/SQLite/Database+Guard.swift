import Provisioning

extension Database {
    /// Claims migrations whose guards are due, in one transaction: no two instances look at one, and none looks twice.
    func claim(_ claim: GuardClaim) throws -> [GuardWatch] {
        var claimed: [GuardWatch] = []
        for (id, program) in try guards.due(at: claim.now, atMost: claim.limit) {
            guard let migration = try migrations.migration(id, program: program)?.element else { continue }
            let watch = try guards.watch(of: migration).due(of: migration, at: claim.now)
            let isDue = watch.dueAt <= claim.now
            try guards.put(watch, leasedTo: isDue ? claim.holder : nil, until: isDue ? claim.leaseUntil : nil)
            if isDue { claimed.append(watch) }
        }
        return claimed
    }

    /// Keeps the looks of a guard that counted, and where one of them tripped it, takes the guard's step. What became of
    /// the step; nil where there was none.
    func finish(_ end: GuardEnd) throws -> MigrationStepResult? {
        var watch = end.watch
        guard try guards.isHeld(watch, by: end.holder) else { return nil }
        for look in end.looks { try guards.insert(look, of: watch) }
        var result: MigrationStepResult?
        if let step = end.step {
            let taken = try take(step, by: .guard)
            if case .taken = taken { watch.stoppedAt = end.at }
            result = taken
        }
        watch.lookedAt = end.at
        watch.dueAt = watch.dueAt(after: end.at)
        try guards.put(watch, leasedTo: nil, until: nil)
        return result
    }
}
