public import Provisioning

extension PostgreSQLStore {
    // MARK: Tokens

    /// The token of that program and id.
    public func token(_ id: String, program: String) async throws(StoreFailure) -> StoredToken? {
        try await read { try await $0.token(id, program: program) }
    }

    /// The card's tokens in the order in which they were first heard of.
    public func tokens(_ query: TokenQuery) async throws(StoreFailure) -> Page<StoredToken> {
        try await read { try await $0.tokens(query) }
    }

    // MARK: Webhooks that come

    /// Keeps a delivery. False where its event is here already.
    public func receive(_ delivery: InboundDelivery) async throws(StoreFailure) -> Bool {
        try await once { try await $0.receive(delivery) }
    }

    /// Claims deliveries that are due to be read.
    public func claim(_ claim: InboundClaim) async throws(StoreFailure) -> [ClaimedDelivery] {
        try await once { try await $0.claim(claim) }
    }

    /// Writes how the reading of a delivery ended, and lets go of it.
    public func finish(_ end: InboundEnd) async throws(StoreFailure) { try await change { $0.finish(end) } }

    /// The card that a delivery is about.
    public func card(ofProviderCard providerCardID: String?, orToken providerTokenID: String?, at connection: String)
        async throws(StoreFailure) -> (card: CardKey, providerCardID: String)?
    {
        try await read { try await $0.card(ofProviderCard: providerCardID, orToken: providerTokenID, at: connection) }
    }

    // MARK: Events

    /// The event of that program and id.
    public func event(_ id: String, program: String) async throws(StoreFailure) -> StoredEvent? {
        try await read { try await $0.event(id, program: program) }
    }

    /// The program's events, the oldest first. What waits to be written is written first.
    public func events(_ query: EventQuery) async throws(StoreFailure) -> Page<StoredEvent> {
        // A store that cannot be written can still be read.
        try? await completions.flush()
        return try await read { try await $0.events(query) }
    }

    // MARK: Event destinations

    /// Adds a destination. Events that are written from now on are queued for it.
    public func add(_ destination: StoredDestination, audit: AuditActor) async throws(StoreFailure) {
        try await change(trailOf: destination.program) { try await $0.add(destination, by: audit) }
    }

    /// The destination of that program and id.
    public func destination(_ id: String, program: String) async throws(StoreFailure) -> StoredDestination? {
        try await read { try await $0.destination(id, program: program)?.element }
    }

    /// The program's destinations in order of creation.
    public func destinations(_ query: DestinationQuery) async throws(StoreFailure) -> Page<StoredDestination> {
        try await read { try await $0.destinations(query) }
    }

    /// Replaces a destination's secret. Nil where it is unknown.
    public func rotate(_ rotation: SecretRotation, audit: AuditActor) async throws(StoreFailure) -> StoredDestination? {
        try await change(trailOf: rotation.program) { try await $0.rotate(rotation, by: audit) }
    }

    /// Removes a destination with its deliveries. False where it is unknown.
    public func removeDestination(_ id: String, program: String, audit: AuditActor, at now: Timestamp)
        async throws(StoreFailure) -> Bool
    {
        try await change(trailOf: program) { try await $0.removeDestination(id, program: program, by: audit, at: now) }
    }

    /// The deliveries to a destination, the latest queued first.
    public func deliveries(_ query: DeliveryQuery) async throws(StoreFailure) -> Page<StoredDelivery> {
        // A store that cannot be written can still be read.
        try? await completions.flush()
        return try await read { try await $0.deliveries(query) }
    }

    /// Queues events for a destination again. What waits to be written is written first.
    public func replay(_ replay: Replay, audit: AuditActor) async throws(StoreFailure) -> ReplayResult {
        try await completions.flush()
        return try await change(trailOf: replay.program) { try await $0.replay(replay, by: audit) }
    }

    /// Claims deliveries that are due to be sent. Where none is due, nothing is written.
    public func claim(_ claim: OutgoingClaim) async throws(StoreFailure) -> [OutgoingDelivery] {
        let isAnyDue = try await read { try await $0.isAnyDeliveryDue(at: claim.now) }
        return isAnyDue ? try await change { try await $0.claim(claim) } : []
    }

    /// Writes how a try ended, and lets go of the delivery.
    public func finish(_ end: OutgoingEnd) async throws(StoreFailure) { try await change { try await $0.finish(end) } }
}
