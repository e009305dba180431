public import Provisioning

extension SQLiteStore {
    // MARK: Event destinations

    /// Adds a destination. Events that are written from now on are queued for it.
    public func add(_ destination: StoredDestination, audit: AuditActor) async throws(StoreFailure) {
        try await writer.write { try $0.add(destination, by: audit) }
    }

    /// The destination of that program and id.
    public func destination(_ id: String, program: String) async throws(StoreFailure) -> StoredDestination? {
        try await readers.read { try $0.destinations.destination(id, program: program)?.element }
    }

    /// The program's destinations in order of creation.
    public func destinations(_ query: DestinationQuery) async throws(StoreFailure) -> Page<StoredDestination> {
        try await readers.read { try $0.destinations.destinations(query) }
    }

    /// Replaces a destination's secret. Nil where it is unknown.
    public func rotate(_ rotation: SecretRotation, audit: AuditActor) async throws(StoreFailure) -> StoredDestination? {
        try await writer.write { try $0.rotate(rotation, by: audit) }
    }

    /// Removes a destination with its deliveries. False where it is unknown.
    public func removeDestination(_ id: String, program: String, audit: AuditActor, at now: Timestamp)
        async throws(StoreFailure) -> Bool
    {
        try await writer.write { try $0.removeDestination(id, program: program, by: audit, at: now) }
    }

    /// The deliveries to a destination, the latest queued first.
    public func deliveries(_ query: DeliveryQuery) async throws(StoreFailure) -> Page<StoredDelivery> {
        // A store that cannot be written can still be read.
        try? await writer.flush()
        return try await readers.read { try $0.deliveries.deliveries(query) }
    }

    /// Queues events for a destination again. What waits to be written is written first.
    public func replay(_ replay: Replay, audit: AuditActor) async throws(StoreFailure) -> ReplayResult {
        try await writer.flush()
        return try await writer.write { try $0.replay(replay, by: audit) }
    }

    /// Claims deliveries that are due to be sent. Where none is due, nothing is written.
    public func claim(_ claim: OutgoingClaim) async throws(StoreFailure) -> [OutgoingDelivery] {
        let isAnyDue = try await readers.read { try $0.deliveries.isAnyDue(at: claim.now) }
        return isAnyDue ? try await writer.write { try $0.claim(claim) } : []
    }

    /// Writes how a try ended, and lets go of the delivery.
    public func finish(_ end: OutgoingEnd) async throws(StoreFailure) {
        try await writer.write { try $0.finish(end) }
    }
}
