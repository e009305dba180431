extension Passgate {
    /// Has the program's events sent to a URL. The answer holds the secret, once.
    public func addDestination(
        url: String, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> EventDestination {
        try await send(.post("v1", "event_destinations", body: ["url": url]), options)
    }

    /// Lists destinations.
    public func destinations(
        page: PageRequest = .first, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Page<EventDestination> {
        try await send(.get("v1", "event_destinations", query: page.query), options)
    }

    /// Reads a destination with what became of its deliveries: all, or those of a status.
    public func destination(
        _ id: String, deliveries status: DeliveryStatus? = nil, page: PageRequest = .first,
        _ options: CallOptions = .standard
    ) async throws(PassgateError) -> EventDestination {
        try await send(
            .get("v1", "event_destinations", id, query: [("status", status?.rawValue)] + page.query), options)
    }

    /// Removes a destination.
    public func removeDestination(_ id: String, _ options: CallOptions = .standard) async throws(PassgateError) {
        _ = try await answer(to: .delete("v1", "event_destinations", id), options)
    }

    /// Replaces a destination's secret; for a day both sign. The answer holds the new one, once.
    public func rotateSecret(
        ofDestination id: String, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> EventDestination {
        try await send(.post("v1", "event_destinations", id, "rotate"), options)
    }

    /// Sends events to a destination again.
    public func replayEvents(
        to id: String, _ request: ReplayRequest, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> EventReplay {
        try await send(.post("v1", "event_destinations", id, "replay", body: request), options)
    }
}
