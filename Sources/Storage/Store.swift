public import Provisioning

/// Where cards, attempts and spent handshakes are kept. SQLite and PostgreSQL stand behind it, with one test suite.
///
/// **Acknowledged means durable** for every call that changes something, but for ``complete(_:)``, which joins a later
/// sync and is visible to readers of the same instance at once. Every call is a transaction. No call blocks a loop.
/// Nothing that is handed to a store is a payload, a nonce, a key or a card number.
public protocol Store: Sendable {
    // MARK: Cards

    /// Creates the card, or changes what the draft holds. Bindings are unique over all programs.
    func putCard(_ draft: CardDraft, audit: AuditActor) async throws(StoreFailure) -> PutCardResult

    /// Gives a card a binding, or changes the one that it has at the connection; who is active then is the only one, and
    /// who was active before is standby. Changes nothing where the binding is as drafted.
    func putBinding(_ draft: BindingDraft, audit: AuditActor) async throws(StoreFailure) -> PutBindingResult

    /// Creates or changes many cards in one transaction, each as ``putCard(_:audit:)`` does: one that is refused keeps
    /// none of the others back. Where the same card stands twice, the later one counts.
    ///
    /// - Returns: What became of each draft.
    func importCards(_ part: CardImportPart) async throws(StoreFailure) -> [PutCardResult]

    /// Ends an import: all its parts are one entry of the audit trail.
    ///
    /// - Parameter isWhole: Whether it came to its end.
    func endImport(_ id: String, isWhole: Bool, at now: Timestamp) async throws(StoreFailure)

    /// The card of that program and id.
    func card(_ key: CardKey) async throws(StoreFailure) -> StoredCard?

    /// The same, where it is that cardholder's. To find another's must cost what finding none does: whoever is told that
    /// there is no such card must not see by the time it takes that there is one.
    func card(_ key: CardKey, ofCardholder cardholderID: String) async throws(StoreFailure) -> StoredCard?

    /// The card as ``card(_:)`` found it lately, at once; nil where it did not. It may have changed since: what is planned
    /// with it is for ``reserve(_:)`` to check, and nothing is refused on its word.
    func recentCard(_ key: CardKey) -> StoredCard?

    /// The program's cards in order of creation.
    func cards(_ query: CardQuery) async throws(StoreFailure) -> Page<StoredCard>

    /// Erases the card's personal members and its bindings' ids; keeps pseudonymous records. False where it is unknown.
    func eraseCard(_ key: CardKey, audit: AuditActor) async throws(StoreFailure) -> Bool

    // MARK: Migrations

    /// Opens a migration: in one transaction, unless another of its program is in force.
    ///
    /// - Parameters:
    ///   - cards: The cards of its cohort, where it goes by a list; their number is told in what is opened.
    ///   - audit: Who opens it.
    func open(_ migration: StoredMigration, listing cards: [String], audit: AuditActor) async throws(StoreFailure)
        -> OpenMigrationResult

    /// Takes a step in one transaction, where the migration allows it. Every reservation after it, of every instance, goes
    /// by what the migration is then.
    func take(_ step: MigrationStep, audit: AuditActor) async throws(StoreFailure) -> MigrationStepResult

    /// Changes the bindings of some more cards of a completed migration. False once nothing is left to change. Who serves
    /// a card is as the migration says from its completion on; ``sweep(at:retention:)`` changes what is left.
    func settleMigration(at now: Timestamp) async throws(StoreFailure) -> Bool

    /// The migration of that program and id.
    func migration(_ id: String, program: String) async throws(StoreFailure) -> StoredMigration?

    /// The program's migrations, the newest first.
    func migrations(_ query: MigrationQuery) async throws(StoreFailure) -> Page<StoredMigration>

    /// How many cards a migration would move, and how many it could not.
    func reach(_ query: MigrationReachQuery) async throws(StoreFailure) -> MigrationReach

    /// Counts an attempt of a migration that neither side could serve, for the app build's sake. No record is made of it.
    func countAppCannot(in migration: String, program: String) async throws(StoreFailure)

    /// The attempts whose app build did not know the routed side's handoff. Nil where there is no such migration.
    func appCannot(in migration: String, program: String) async throws(StoreFailure) -> AppCannotCount?

    // MARK: Provisionings

    /// In one transaction: decides who serves the card and checks that this was planned with, claims the idempotency key, spends the handshake and writes the
    /// record as `sending`. It is durable when this returns ``ReservationResult/reserved``.
    func reserve(_ reservation: Reservation) async throws(StoreFailure) -> ReservationResult

    /// Writes how an attempt ended, frees its idempotency key, and gives the handshake back where told.
    func complete(_ completion: ProvisioningCompletion) async throws(StoreFailure)

    /// The attempt of that program and id.
    func provisioning(_ id: String, program: String) async throws(StoreFailure) -> StoredProvisioning?

    /// The program's attempts, the newest first.
    func provisionings(_ query: ProvisioningQuery) async throws(StoreFailure) -> Page<StoredProvisioning>

    /// Adds up how a program's attempts went. It reads a bounded number of attempts.
    func overview(_ query: OverviewQuery) async throws(StoreFailure) -> AttemptOverview

    // MARK: Guards, reports and shadows

    /// Claims migrations whose guards are due for a look, each for one instance at a time: looks are a fixed grid, and
    /// more instances make no more of them.
    func claim(_ claim: GuardClaim) async throws(StoreFailure) -> [GuardWatch]

    /// Keeps the looks of a guard that counted, and where one of them tripped it, takes the guard's step in the same
    /// transaction. What became of the step; nil where none was asked for, or another instance looks by now.
    func finish(_ end: GuardEnd) async throws(StoreFailure) -> MigrationStepResult?

    /// Adds up what was observed of a side.
    func tally(_ query: SideQuery) async throws(StoreFailure) -> SideTally

    /// What is known of a migration's course.
    func figures(_ query: SwitchFiguresQuery) async throws(StoreFailure) -> SwitchFigures

    /// Adds to how often shadows found something.
    func add(_ findings: [ShadowFinding: Int]) async throws(StoreFailure)

    /// Adds to how many attempts open breakers turned away.
    func add(_ leftAlone: [LeftAloneSide: Int]) async throws(StoreFailure)

    // MARK: What becomes of provisionings

    /// Notes what a device said, and moves the attempt's status where the table allows it. Nil where it is unknown.
    func note(_ report: DeviceReport) async throws(StoreFailure) -> StoredProvisioning?

    /// In one transaction: keeps what is said of a card's tokens, never backwards in the processor's time; attributes them
    /// to its attempts by the attribution rule, and moves their statuses; writes the events of it.
    func settle(_ report: TokenReport) async throws(StoreFailure) -> TokenSettlement

    /// Claims attempts that are due to be followed up, the longest overdue first: of each card and connection, for one
    /// instance at a time.
    func claim(_ claim: FollowUpClaim) async throws(StoreFailure) -> [StoredProvisioning]

    /// Writes how follow-ups ended, and lets go of their attempts.
    func finish(_ ends: [FollowUpEnd]) async throws(StoreFailure)

    // MARK: Tokens

    /// The token of that program and id.
    func token(_ id: String, program: String) async throws(StoreFailure) -> StoredToken?

    /// The card's tokens in the order in which they were first heard of.
    func tokens(_ query: TokenQuery) async throws(StoreFailure) -> Page<StoredToken>

    // MARK: Webhooks that come

    /// Keeps a delivery. False where its event is here already, with nothing changed.
    func receive(_ delivery: InboundDelivery) async throws(StoreFailure) -> Bool

    /// Claims deliveries that are due to be read, the longest overdue first, each for one instance at a time.
    func claim(_ claim: InboundClaim) async throws(StoreFailure) -> [ClaimedDelivery]

    /// Writes how the reading of a delivery ended, and lets go of it.
    func finish(_ end: InboundEnd) async throws(StoreFailure)

    /// The card that a delivery is about: whose card at the connection has, or had, that id; else whose token it is, with
    /// the card's id at the processor as it is known. Nil where it is nobody's.
    func card(ofProviderCard providerCardID: String?, orToken providerTokenID: String?, at connection: String)
        async throws(StoreFailure) -> (card: CardKey, providerCardID: String)?

    // MARK: Events

    /// The event of that program and id.
    func event(_ id: String, program: String) async throws(StoreFailure) -> StoredEvent?

    /// The program's events, the oldest first.
    func events(_ query: EventQuery) async throws(StoreFailure) -> Page<StoredEvent>

    // MARK: Event destinations

    /// Adds a destination. Events that are written from now on are queued for it, in the transaction that writes them.
    func add(_ destination: StoredDestination, audit: AuditActor) async throws(StoreFailure)

    /// The destination of that program and id.
    func destination(_ id: String, program: String) async throws(StoreFailure) -> StoredDestination?

    /// The program's destinations in order of creation.
    func destinations(_ query: DestinationQuery) async throws(StoreFailure) -> Page<StoredDestination>

    /// Replaces a destination's secret, and keeps the one before it for a while. Nil where it is unknown.
    func rotate(_ rotation: SecretRotation, audit: AuditActor) async throws(StoreFailure) -> StoredDestination?

    /// Removes a destination with its deliveries. False where it is unknown.
    func removeDestination(_ id: String, program: String, audit: AuditActor, at now: Timestamp)
        async throws(StoreFailure) -> Bool

    /// The deliveries to a destination, the newest first.
    func deliveries(_ query: DeliveryQuery) async throws(StoreFailure) -> Page<StoredDelivery>

    /// Queues events for a destination again, and enables it.
    func replay(_ replay: Replay, audit: AuditActor) async throws(StoreFailure) -> ReplayResult

    /// Claims deliveries that are due to be sent, each for one instance at a time: of each destination a bounded number,
    /// of each card there one, its earliest.
    func claim(_ claim: OutgoingClaim) async throws(StoreFailure) -> [OutgoingDelivery]

    /// Writes how a try ended, and lets go of the delivery.
    func finish(_ end: OutgoingEnd) async throws(StoreFailure)

    // MARK: Idempotency of provisionings and other requests

    /// What is known of the key; nil where it is free.
    func idempotency(_ key: IdempotencyKey, at now: Timestamp) async throws(StoreFailure) -> IdempotencyRecord?

    /// Claims the key for a request that reserves nothing else. Nil when it was free, or held the record that the claim
    /// replaces, and is now claimed; else what it holds.
    func claim(_ claim: IdempotencyClaim, at now: Timestamp) async throws(StoreFailure) -> IdempotencyRecord?

    /// Keeps how the request ended.
    func finish(_ key: IdempotencyKey, as ending: IdempotencyEnding, at now: Timestamp) async throws(StoreFailure)

    // MARK: Upkeep

    /// By how many milliseconds the store's own clock is ahead of this machine's, as it was last measured; 0 where the
    /// store has none. Moments that are handed to a store are to be its own.
    var clockOffset: Int64 { get }

    /// Whether the store answers and can write.
    func checkHealth() async throws(StoreFailure)

    /// What waits, and what was given up.
    func backlog() async throws(StoreFailure) -> StoreBacklog

    /// Turns `sending` attempts whose deadline is more than 5 s past into `unknown`; ends imports that broke off; drops
    /// what has outlived its time.
    func sweep(at now: Timestamp, retention: Retention) async throws(StoreFailure)

    /// Ends every connection after the work at hand.
    func close() async
}

extension Store {
    /// A store on this machine goes by its clock.
    public var clockOffset: Int64 { 0 }
}
