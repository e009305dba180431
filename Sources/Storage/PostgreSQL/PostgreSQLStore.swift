import PostgreSQL
public import Provisioning
public import SecretMemory
import Synchronization

/// The shared store: one PostgreSQL database for any number of gateways.
///
/// Decisions are taken within the database, by locks and unique keys. One transaction is a request's; completions of many
/// requests share one. No call blocks: all connections are driven by a loop of the store's own. While the database cannot
/// be reached, every call is told so at once.
public final class PostgreSQLStore: Store, AuditTrail {
    let pool: PostgreSQLPool
    let completions: CompletionWriter
    let recent = RecentCards()
    private let turns = Turns()
    let chain: AuditChain
    let meter: StoreMeter
    private let now: @Sendable () -> Timestamp
    private let offset = Atomic<Int64>(0)
    private let refreshedAt = Atomic<Int64>(.min)
    /// How often the clocks are compared, and cards that were read lately are forgotten: another instance may have erased
    /// some.
    private static let refreshMilliseconds: Int64 = 60_000

    /// Opens the store, and brings its schema to the newest version.
    ///
    /// - Parameters:
    ///   - url: The database: `postgres://user:password@host/name`, with any parameter that libpq knows.
    ///   - audit: Links the audit trail, and digests its personal members.
    ///   - connections: How many connections there are at most.
    ///   - meter: Measures what is written.
    ///   - now: Tells this machine's time.
    /// - Throws: `unavailable` where it cannot be reached; `newerSchema`; `broken` where the schema is another program's.
    public init(
        url: SecretText, audit: AuditChain, connections: Int = 16, meter: StoreMeter = StoreMeter(),
        now: @escaping @Sendable () -> Timestamp
    ) async throws(StoreFailure) {
        guard let address = DatabaseAddress(url: url) else {
            throw .unavailable("The URL is not one that libpq understands.")
        }
        var settings = PoolSettings()
        settings.connections = connections
        let pool = PostgreSQLPool(address, settings: settings)
        (self.pool, chain, self.meter, self.now) = (pool, audit, meter, now)
        completions = CompletionWriter { completions in
            try await pool.change(noting: meter, size: completions.count, askedAt: nil) { transaction in
                let database = PostgreSQLDatabase(transaction, chain: audit)
                try await database.complete(completions)
                database.writeNews()
            }
        }
        do {
            try await PostgreSQLSchema.prepare(pool)
        } catch {
            await pool.close()
            throw StoreFailure(error)
        }
        try await checkHealth()
    }

    /// Whether a text is a URL of such a store, in a form that can be used.
    public static func understands(_ url: SecretText) -> Bool { DatabaseAddress(url: url) != nil }

    /// The database as people may read it: its servers and its name; nil where the URL is not understood.
    public static func summary(of url: SecretText) -> String? { DatabaseAddress(url: url)?.summary }

    /// By how many milliseconds the database's clock is ahead of this machine's, as it was last measured. 0 where the
    /// difference is less than the measurement's own error.
    public var clockOffset: Int64 { offset.load(ordering: .relaxed) }

    // MARK: Transactions

    /// Runs `body` in one transaction, and returns once what it changed is durable.
    func change<Answer: Sendable>(
        repeatsTaken: Bool = false, askedAt: ContinuousClock.Instant = .now,
        _ body: @escaping @Sendable (PostgreSQLDatabase) async throws -> Answer
    ) async throws(StoreFailure) -> Answer {
        let chain = chain
        do {
            return try await pool.change(noting: meter, askedAt: askedAt, repeatsTaken: repeatsTaken) { transaction in
                let database = PostgreSQLDatabase(transaction, chain: chain)
                let answer = try await body(database)
                database.writeNews()
                return answer
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Runs `body` in one transaction that takes a program's trail for itself.
    func change<Answer: Sendable>(
        trailOf program: String, _ body: @escaping @Sendable (PostgreSQLDatabase) async throws -> Answer
    ) async throws(StoreFailure) -> Answer {
        let askedAt = ContinuousClock.now
        return try await turns.take(for: program) { () async throws(StoreFailure) in
            try await change(repeatsTaken: true, askedAt: askedAt, body)
        }
    }

    /// Runs `body`, which sends one batch; to send it twice is to send it once.
    func once<Answer: Sendable>(_ body: @escaping @Sendable (PostgreSQLDatabase) async throws -> Answer)
        async throws(StoreFailure) -> Answer
    {
        let chain = chain
        do {
            return try await pool.once { try await body(PostgreSQLDatabase($0, chain: chain)) }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Runs `body`, which only reads.
    func read<Answer: Sendable>(_ body: @escaping @Sendable (PostgreSQLDatabase) async throws -> Answer)
        async throws(StoreFailure) -> Answer
    {
        let chain = chain
        do {
            return try await pool.read { try await body(PostgreSQLDatabase($0, chain: chain)) }
        } catch {
            throw StoreFailure(error)
        }
    }

    // MARK: Upkeep

    /// Writes a row of its own, and compares the clocks.
    public func checkHealth() async throws(StoreFailure) {
        let before = now()
        let theirs = try await once { try await $0.touch() }
        let after = now()
        offset.store(theirs.offset(askedAt: before, answeredAt: after), ordering: .relaxed)
    }

    /// Gives up attempts whose deadline is more than 5 s past, and drops what has outlived its time, a part at a time.
    public func sweep(at now: Timestamp, retention: Retention) async throws(StoreFailure) {
        let last = refreshedAt.load(ordering: .relaxed)
        if last == .min || abs(now.milliseconds - last) >= Self.refreshMilliseconds {
            refreshedAt.store(now.milliseconds, ordering: .relaxed)
            recent.forgetAll()
            try await checkHealth()
        }
        while try await change({ try await $0.giveUp(at: now, atMost: 500) }) {}
        while try await settleMigration(at: now) {}
        while try await change({ try await $0.endSilentImport(at: now) }) {}
        while try await change({ try await $0.drop(at: now, retention: retention, atMost: 500) }) {}
    }

    /// The program's audit entries after the one with that sequence, the oldest first.
    public func auditEntries(program: String, after sequence: Int64, limit: Int) async throws(StoreFailure)
        -> [StoredAuditEntry]
    {
        try await read { try await $0.auditEntries(program: program, after: sequence, limit: limit) }
    }

    /// The last entry of every program's trail.
    public func auditHeads() async throws(StoreFailure) -> [AuditHead] { try await read { try await $0.auditHeads() } }

    /// Writes what waits, and ends every connection. Every later call is told that the store is closed.
    public func close() async {
        await completions.close()
        await pool.close()
    }

    /// The database's time, as well as it is known.
    var databaseNow: Timestamp { now().adding(milliseconds: clockOffset) }
}
