extension SQLiteStore {
    /// Adds up how a program's attempts went, on a thread that reads. Ends that wait for the writer's next group are not
    /// counted yet.
    public func overview(_ query: OverviewQuery) async throws(StoreFailure) -> AttemptOverview {
        try await readers.read { try $0.overview(query) }
    }

    /// What waits, and what was given up.
    public func backlog() async throws(StoreFailure) -> StoreBacklog {
        try await readers.read { try $0.backlog() }
    }
}
