import Provisioning
public import Storage

extension Gateway {
    /// The event.
    ///
    /// - Throws: `event_not_found`.
    public func event(_ id: String, program: String) async throws(Problem) -> StoredEvent {
        do throws(StoreFailure) {
            if let event = try await store.event(id, program: program) { return event }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.eventNotFound)
    }

    /// The program's events, the oldest first, a page at a time.
    ///
    /// - Throws: `invalid_request` at `/after` where there is no such event.
    public func events(_ query: EventQuery) async throws(Problem) -> Page<StoredEvent> {
        if let after = query.after {
            do throws(Problem) { _ = try await event(after, program: query.program) } catch {
                guard error.code == .eventNotFound else { throw error }
                throw .member("/after", "is not the id of an event that is kept")
            }
        }
        let filters = [query.program, query.card, query.type, query.after]
        return try await page(query.page, of: ["events"] + filters) { page throws(StoreFailure) in
            var query = query
            query.page = page
            return try await store.events(query)
        }
    }
}
