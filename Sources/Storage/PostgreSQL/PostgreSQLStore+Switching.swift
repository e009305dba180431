extension PostgreSQLStore {
    // MARK: Guards, reports and shadows

    /// Claims migrations whose guards are due. Where none is due, nothing is written.
    public func claim(_ claim: GuardClaim) async throws(StoreFailure) -> [GuardWatch] {
        let isAnyDue = try await read { try await $0.isAnyGuardDue(at: claim.now) }
        return isAnyDue ? try await change { try await $0.claim(claim) } : []
    }

    /// Keeps the looks of a guard that counted, and where one of them tripped it, takes the guard's step.
    public func finish(_ end: GuardEnd) async throws(StoreFailure) -> MigrationStepResult? {
        guard end.step != nil else { return try await change { try await $0.finish(end) } }
        defer { recent.forgetAll() }
        return try await change(trailOf: end.watch.migration.program) { try await $0.finish(end) }
    }

    /// Adds up what was observed of a side, with the completions that wait.
    public func tally(_ query: SideQuery) async throws(StoreFailure) -> SideTally {
        try await completions.flush()
        return try await read { try await $0.tally(query) }
    }

    /// What is known of a migration's course, with the completions that wait.
    public func figures(_ query: SwitchFiguresQuery) async throws(StoreFailure) -> SwitchFigures {
        // A store that cannot be written can still be read.
        try? await completions.flush()
        return try await read { try await $0.figures(query) }
    }

    /// Adds to how often shadows found something.
    public func add(_ findings: [ShadowFinding: Int]) async throws(StoreFailure) {
        try await change { $0.add(findings) }
    }

    /// Adds to how many attempts open breakers turned away.
    public func add(_ leftAlone: [LeftAloneSide: Int]) async throws(StoreFailure) {
        try await change { $0.add(leftAlone) }
    }
}
