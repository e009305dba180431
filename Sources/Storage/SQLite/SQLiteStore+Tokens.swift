import Provisioning

extension SQLiteStore {
    // MARK: Tokens

    /// The token of that program and id.
    public func token(_ id: String, program: String) async throws(StoreFailure) -> StoredToken? {
        try await readers.read { try $0.tokens.token(id, program: program) }
    }

    /// The card's tokens in the order in which they were first heard of.
    public func tokens(_ query: TokenQuery) async throws(StoreFailure) -> Page<StoredToken> {
        try await readers.read { try $0.tokens.tokens(query) }
    }

    // MARK: Webhooks that come

    /// Keeps a delivery. False where its event is here already: then nothing is written.
    public func receive(_ delivery: InboundDelivery) async throws(StoreFailure) -> Bool {
        try await writer.write { try $0.inbound.insert(delivery) }
    }

    /// Claims deliveries that are due to be read. Where none is due, nothing is written.
    public func claim(_ claim: InboundClaim) async throws(StoreFailure) -> [ClaimedDelivery] {
        let isAnyDue = try await readers.read { try !$0.inbound.due(claim, atMost: 1).isEmpty }
        return isAnyDue ? try await writer.write { try $0.claim(claim) } : []
    }

    /// Writes how the reading of a delivery ended, and lets go of it.
    public func finish(_ end: InboundEnd) async throws(StoreFailure) {
        try await writer.write { try $0.inbound.finish(end) }
    }

    /// The card that a delivery is about.
    public func card(ofProviderCard providerCardID: String?, orToken providerTokenID: String?, at connection: String)
        async throws(StoreFailure) -> (card: CardKey, providerCardID: String)?
    {
        try await readers.read { database in
            if let providerCardID, let card = try database.bindings.card(with: providerCardID, at: connection) {
                return (card, providerCardID)
            }
            guard let providerTokenID, let token = try database.tokens.token(providerTokenID, at: connection) else {
                return nil
            }
            return (token.card, providerCardID ?? token.providerCardID)
        }
    }

    // MARK: Events

    /// The event of that program and id.
    public func event(_ id: String, program: String) async throws(StoreFailure) -> StoredEvent? {
        try await readers.read { try $0.events.event(id, program: program) }
    }

    /// The program's events, the oldest first. What waits to be written is written first.
    public func events(_ query: EventQuery) async throws(StoreFailure) -> Page<StoredEvent> {
        // A store that cannot be written can still be read.
        try? await writer.flush()
        return try await readers.read { try $0.events.events(query) }
    }
}
