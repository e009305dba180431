public import Provisioning

extension PostgreSQLStore {
    // MARK: Cards

    /// Creates the card, or changes what the draft holds. The binding's last four, network and ids must be as they are
    /// kept, else it is another binding.
    public func putCard(_ draft: CardDraft, audit: AuditActor) async throws(StoreFailure) -> PutCardResult {
        defer { recent.forget(draft.key) }
        return try await change(trailOf: draft.key.program) { try await $0.putCard(draft, by: audit) }
    }

    /// Gives a card a binding, or changes the one that it has at the connection.
    public func putBinding(_ draft: BindingDraft, audit: AuditActor) async throws(StoreFailure) -> PutBindingResult {
        defer { recent.forget(draft.key) }
        return try await change(trailOf: draft.key.program) { try await $0.putBinding(draft, by: audit) }
    }

    /// Writes a part of an import in one transaction.
    public func importCards(_ part: CardImportPart) async throws(StoreFailure) -> [PutCardResult] {
        defer { recent.forget(part.drafts.lazy.map(\.key)) }
        return try await change(trailOf: part.program) { try await $0.importCards(part) }
    }

    /// Writes an import's entry of the audit trail.
    public func endImport(_ id: String, isWhole: Bool, at now: Timestamp) async throws(StoreFailure) {
        try await change { try await $0.endImport(id, isWhole: isWhole, at: now) }
    }

    /// The card of that program and id.
    public func card(_ key: CardKey) async throws(StoreFailure) -> StoredCard? {
        try await keeping { try await $0.card(key) }
    }

    /// The same, where it is that cardholder's. Another's is looked for with the statement that finds nothing.
    public func card(_ key: CardKey, ofCardholder cardholderID: String) async throws(StoreFailure) -> StoredCard? {
        try await keeping { try await $0.card(key, ofCardholder: cardholderID) }
    }

    /// Reads a card, and keeps it for attempts that come soon.
    private func keeping(_ find: @escaping @Sendable (PostgreSQLDatabase) async throws -> StoredCard?)
        async throws(StoreFailure) -> StoredCard?
    {
        let changes = recent.changes
        let card = try await read(find)
        if let card { recent.keep(card, asOf: changes) }
        return card
    }

    /// The card as it was read lately; nil where it was not. Another instance may have changed it.
    public func recentCard(_ key: CardKey) -> StoredCard? { recent.card(key) }

    /// The program's cards in order of creation.
    public func cards(_ query: CardQuery) async throws(StoreFailure) -> Page<StoredCard> {
        try await read { try await $0.cards(query) }
    }

    /// Removes the card, its bindings, and the processors' card ids in its attempts. The id can be created anew.
    public func eraseCard(_ key: CardKey, audit: AuditActor) async throws(StoreFailure) -> Bool {
        let now = databaseNow
        defer { recent.forget(key) }
        return try await change(trailOf: key.program) { try await $0.eraseCard(key, by: audit, at: now) }
    }

    // MARK: Migrations

    /// Opens a migration, unless another of its program is in force.
    public func open(_ migration: StoredMigration, listing cards: [String], audit: AuditActor)
        async throws(StoreFailure) -> OpenMigrationResult
    {
        defer { recent.forgetAll() }
        return try await change(trailOf: migration.program) { try await $0.open(migration, listing: cards, by: audit) }
    }

    /// Takes a step, where the migration allows it.
    public func take(_ step: MigrationStep, audit: AuditActor) async throws(StoreFailure) -> MigrationStepResult {
        defer { recent.forgetAll() }
        return try await change(trailOf: step.program) { try await $0.take(step, by: audit) }
    }

    /// Changes the bindings of some cards of a completed migration.
    public func settleMigration(at now: Timestamp) async throws(StoreFailure) -> Bool {
        try await change { try await $0.settleMigration(at: now) } > 0
    }

    /// The migration of that program and id.
    public func migration(_ id: String, program: String) async throws(StoreFailure) -> StoredMigration? {
        try await read { try await $0.migration(id, program: program) }
    }

    /// The program's migrations, the newest first.
    public func migrations(_ query: MigrationQuery) async throws(StoreFailure) -> Page<StoredMigration> {
        try await read { try await $0.migrations(query) }
    }

    /// How many cards a migration would move.
    public func reach(_ query: MigrationReachQuery) async throws(StoreFailure) -> MigrationReach {
        try await read { try await $0.reach(query) }
    }

    /// Counts an attempt that neither side could serve, for the app build's sake.
    public func countAppCannot(in migration: String, program: String) async throws(StoreFailure) {
        try await change { $0.countRefusal(of: migration, program: program) }
    }

    /// The attempts whose app build did not know the routed side's handoff. Nil where there is no such migration.
    public func appCannot(in migration: String, program: String) async throws(StoreFailure) -> AppCannotCount? {
        try await read { try await $0.appCannot(in: migration, program: program) }
    }
}
