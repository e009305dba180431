extension Passgate {
    /// Lists events, the oldest first.
    public func events(
        _ query: EventQuery = EventQuery(), page: PageRequest = .first, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Page<Event> {
        let filters = [("card", query.card), ("type", query.type), ("after", query.after)]
        return try await send(.get("v1", "events", query: filters + page.query), options)
    }

    /// Reads an event.
    public func event(_ id: String, _ options: CallOptions = .standard) async throws(PassgateError) -> Event {
        try await send(.get("v1", "events", id), options)
    }
}
