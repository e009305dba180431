extension SQLiteStore {
    // MARK: Guards, reports and shadows

    /// Claims migrations whose guards are due. Where none is due, nothing is written.
    public func claim(_ claim: GuardClaim) async throws(StoreFailure) -> [GuardWatch] {
        let isAnyDue = try await readers.read { try !$0.guards.due(at: claim.now, atMost: 1).isEmpty }
        return isAnyDue ? try await writer.write { try $0.claim(claim) } : []
    }

    /// Keeps the looks of a guard that counted, and where one of them tripped it, takes the guard's step.
    public func finish(_ end: GuardEnd) async throws(StoreFailure) -> MigrationStepResult? {
        defer { if end.looks.contains(where: \.isTripped) { recent.forgetAll() } }
        return try await writer.write { try $0.finish(end) }
    }

    /// Adds up what was observed of a side, with the completions that wait.
    public func tally(_ query: SideQuery) async throws(StoreFailure) -> SideTally {
        try await writer.flush()
        return try await readers.read { try $0.observations.tally(query) }
    }

    /// What is known of a migration's course, with the completions that wait.
    public func figures(_ query: SwitchFiguresQuery) async throws(StoreFailure) -> SwitchFigures {
        // A store that cannot be written can still be read.
        try? await writer.flush()
        return try await readers.read { try $0.figures(query) }
    }

    /// Adds to how often a shadow found something.
    public func add(_ findings: [ShadowFinding: Int]) async throws(StoreFailure) {
        try await writer.write { database in
            for (finding, count) in findings { try database.shadows.add(count, of: finding) }
        }
    }

    /// Adds to how many attempts open breakers turned away.
    public func add(_ leftAlone: [LeftAloneSide: Int]) async throws(StoreFailure) {
        try await writer.write { database in
            for (side, count) in leftAlone { try database.leftAlone.add(count, at: side) }
        }
    }
}
