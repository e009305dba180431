extension PostgreSQLStore {
    /// Adds up how a program's attempts went, with the completions that wait.
    public func overview(_ query: OverviewQuery) async throws(StoreFailure) -> AttemptOverview {
        // A store that cannot be written can still be read.
        try? await completions.flush()
        return try await read { try await $0.overview(query) }
    }

    /// What waits, and what was given up.
    public func backlog() async throws(StoreFailure) -> StoreBacklog { try await read { try await $0.backlog() } }
}
