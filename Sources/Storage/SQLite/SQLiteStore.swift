public import Provisioning
import SQLite

/// The embedded store: one SQLite file in write-ahead mode.
///
/// A thread of its own writes: it takes all requests that wait, gives each a savepoint in one transaction, syncs once,
/// and then tells all callers. Other threads read. A second process on the same file is correct, and waits its turn:
/// every decision is taken within the database.
public final class SQLiteStore: Store, AuditTrail {
    let writer: Writer
    let readers: Readers
    private let checkpointer: Checkpointer
    let recent = RecentCards()
    private let now: @Sendable () -> Timestamp

    /// Opens the file, creates it where it is missing (mode 0600), and brings its schema to the newest version.
    ///
    /// It waits for the disk: call it while starting, not in a task.
    ///
    /// - Parameters:
    ///   - path: Where the file is. Its folder must exist.
    ///   - audit: Links the audit trail, and digests its personal members.
    ///   - readers: How many threads read.
    ///   - meter: Measures what is written.
    ///   - now: Tells the time, for changes that bring none.
    /// - Throws: `unwritable` where the file or its folder cannot be written; `newerSchema`; `broken` where the file is
    ///   damaged or belongs to another program.
    public init(
        path: String, audit: AuditChain, readers: Int = 2, meter: StoreMeter = StoreMeter(),
        now: @escaping @Sendable () -> Timestamp
    ) throws(StoreFailure) {
        let count = max(readers, 1)
        let (writer, checkpointer, readers) = (Writer(meter: meter), Checkpointer(), Readers(count: count))
        do {
            let database = try Database(creating: path, chain: audit)
            try database.touch()
            writer.start(database) { checkpointer.wake() }
            checkpointer.start(try Database(creating: path, chain: audit)) { writer.finishCheckpoint() }
            for _ in 0..<count { readers.start(try Database(reading: path, chain: audit)) }
        } catch {
            readers.stop()
            checkpointer.stop()
            writer.stop()
            throw StoreFailure(error)
        }
        (self.writer, self.checkpointer, self.readers, self.now) = (writer, checkpointer, readers, now)
    }

    deinit {
        readers.stop()
        checkpointer.stop()
        writer.stop()
    }

    // MARK: Cards

    /// Creates the card, or changes what the draft holds. The binding's last four, network and ids must be as they are
    /// kept, else it is another binding.
    public func putCard(_ draft: CardDraft, audit: AuditActor) async throws(StoreFailure) -> PutCardResult {
        defer { recent.forget(draft.key) }
        return try await writer.write { try $0.putCard(draft, by: audit) }
    }

    /// The card of that program and id.
    public func card(_ key: CardKey) async throws(StoreFailure) -> StoredCard? {
        try await read { try $0.cards.card(key)?.card }
    }

    /// The same, where it is that cardholder's. Another's is looked for with the statement that finds nothing.
    public func card(_ key: CardKey, ofCardholder cardholderID: String) async throws(StoreFailure) -> StoredCard? {
        try await read { try $0.cards.card(key, ofCardholder: cardholderID)?.card }
    }

    /// Reads a card, and keeps it for attempts that come soon.
    private func read(_ find: @escaping @Sendable (Database) throws -> StoredCard?) async throws(StoreFailure)
        -> StoredCard?
    {
        let changes = recent.changes
        let card = try await readers.read(find)
        if let card { recent.keep(card, asOf: changes) }
        return card
    }

    /// The card as it was read lately; nil where it was not.
    public func recentCard(_ key: CardKey) -> StoredCard? { recent.card(key) }

    /// The program's cards in order of creation.
    public func cards(_ query: CardQuery) async throws(StoreFailure) -> Page<StoredCard> {
        try await readers.read { try $0.cards.cards(query) }
    }

    /// Removes the card, its bindings, and the processors' card ids in its attempts. The id can be created anew.
    public func eraseCard(_ key: CardKey, audit: AuditActor) async throws(StoreFailure) -> Bool {
        let now = now()
        defer { recent.forget(key) }
        return try await writer.write { try $0.eraseCard(key, by: audit, at: now) }
    }

    // MARK: Provisionings

    /// Reserves an attempt with everything that goes with it. The attempt's `createdAt` is the moment that counts.
    public func reserve(_ reservation: Reservation) async throws(StoreFailure) -> ReservationResult {
        let result = try await writer.write { try $0.reserve(reservation) }
        if result == .cardChanged || result == .cardGone { recent.forget(reservation.record.card) }
        return result
    }

    /// Leaves the end of an attempt for the writer's next group, at most 50 ms later, and returns at once.
    public func complete(_ completion: ProvisioningCompletion) async throws(StoreFailure) {
        try writer.complete(completion)
    }

    /// The attempt of that program and id.
    public func provisioning(_ id: String, program: String) async throws(StoreFailure) -> StoredProvisioning? {
        let pending = writer.pending.record(of: id, program: program)
        let stored = try await readers.read { try $0.provisionings.provisioning(id, program: program) }
        return pending.flatMap { stored?.completed(as: $0) } ?? stored
    }

    /// The program's attempts, the newest first, each with the completion that waits for it. Where the status decides
    /// which attempts are meant, what waits is written first.
    public func provisionings(_ query: ProvisioningQuery) async throws(StoreFailure) -> Page<StoredProvisioning> {
        // A store that cannot be written can still be read.
        if query.status != nil { try? await writer.flush() }
        let pending = writer.pending.records(ofProgram: query.program)
        let page = try await readers.read { try $0.provisionings.provisionings(query) }
        return page.completed(by: pending, status: query.status)
    }

    // MARK: What becomes of provisionings

    /// Notes what a device said, and moves the attempt's status where the table allows it. Nil where it is unknown.
    public func note(_ report: DeviceReport) async throws(StoreFailure) -> StoredProvisioning? {
        try await writer.write { try $0.note(report) }
    }

    /// Keeps what is said of a card's tokens, and settles the attempts that they came from.
    public func settle(_ report: TokenReport) async throws(StoreFailure) -> TokenSettlement {
        try await writer.write { try $0.settle(report) }
    }

    /// Claims attempts that are due to be followed up. Where none is due, nothing is written.
    public func claim(_ claim: FollowUpClaim) async throws(StoreFailure) -> [StoredProvisioning] {
        let isAnyDue = try await readers.read { try !$0.provisionings.due(at: claim.now, atMost: 1).isEmpty }
        return isAnyDue ? try await writer.write { try $0.claim(claim) } : []
    }

    /// Writes how follow-ups ended, and lets go of their attempts.
    public func finish(_ ends: [FollowUpEnd]) async throws(StoreFailure) {
        try await writer.write { try $0.finish(ends) }
    }

    // MARK: Idempotency

    /// What is known of the key; nil where it is free.
    public func idempotency(_ key: IdempotencyKey, at now: Timestamp) async throws(StoreFailure) -> IdempotencyRecord? {
        let pending = writer.pending.ending(of: key)
        guard var use = try await readers.read({ try $0.idempotency.use(of: key) }) else { return nil }
        if let pending, pending.provisioning == use.provisioning {
            use.ending = pending.ending
            use.deadlineAt = nil
        }
        return use.isFree(at: now) ? nil : use
    }

    /// Claims the key, for a minute or until ``finish(_:as:at:)``. Nil when it was free, or as the claim saw it.
    public func claim(_ claim: IdempotencyClaim, at now: Timestamp) async throws(StoreFailure) -> IdempotencyRecord? {
        try await writer.write { try $0.claim(claim, at: now) }
    }

    /// Keeps how the request ended.
    public func finish(_ key: IdempotencyKey, as ending: IdempotencyEnding, at now: Timestamp)
        async throws(StoreFailure)
    {
        try await writer.write { try $0.idempotency.end(key, as: ending, provisioning: nil) }
    }

    // MARK: Upkeep

    /// Writes and syncs a row of its own.
    public func checkHealth() async throws(StoreFailure) {
        try await writer.write { try $0.touch() }
        try await readers.read { _ = try $0.connection.first("SELECT checks FROM health") { $0.integer(0) } }
    }

    /// Gives up attempts whose deadline is more than 5 s past, and drops what has outlived its time, a part at a time so
    /// that other requests come between.
    public func sweep(at now: Timestamp, retention: Retention) async throws(StoreFailure) {
        while try await writer.write({ try $0.sweep(at: now, retention: retention) }) {}
    }

    /// The program's audit entries after the one with that sequence, the oldest first.
    public func auditEntries(program: String, after sequence: Int64, limit: Int) async throws(StoreFailure)
        -> [StoredAuditEntry]
    {
        try await readers.read { try $0.audit.entries(program: program, after: sequence, limit: limit) }
    }

    /// The last entry of every program's trail.
    public func auditHeads() async throws(StoreFailure) -> [AuditHead] {
        try await readers.read { try $0.audit.heads() }
    }

    /// Writes what waits, and closes the file. Every later call is told that the store is closed.
    public func close() async {
        await readers.close()
        await checkpointer.close()
        await writer.close()
    }
}
