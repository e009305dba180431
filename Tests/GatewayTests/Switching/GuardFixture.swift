import Crypto
import EventLoop
import FoundationEssentials
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Synchronization
import Testing

@testable import Gateway

/// A migration between two scripted sides over a real store, and as many gateways on it as a test wants.
final class GuardFixture: Sendable {
    static let program = "rides"
    let clock = MovableClock()
    let from = ScriptedProvider()
    let to = ScriptedProvider()
    let store: SQLiteStore
    let stops = Mutex<[GuardStop]>([])
    private let folder: URL
    private let loop = EventLoop(name: "switch-test")

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "passgate-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try Self.store(in: folder, clock: clock)
        loop.start()
    }

    deinit {
        loop.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func store(in folder: URL, clock: MovableClock) throws -> SQLiteStore {
        try SQLiteStore(
            path: folder.appending(path: "store.db").path, audit: AuditChain { _ in [UInt8](repeating: 0, count: 32) },
            now: { clock.now })
    }

    /// A gateway as another process has it, with a store of its own on the same file where told.
    func gateway(_ instance: String = "one", ownStore: Bool = false, ratePerSecond: Double? = 1_000_000) throws
        -> Gateway
    {
        let sides = [("old_main", from), ("new_main", to)].map { name, provider in
            Connection(
                name: name, environment: .test, descriptor: ScriptedProvider.descriptor, provider: provider,
                ratePerSecond: ratePerSecond)
        }
        let program = Program(
            name: Self.program, connection: "old_main", connections: ["old_main", "new_main"],
            displayName: "Rides Card", wallets: [.applePay, .googlePay])
        return Gateway(
            directory: Directory(
                connections: Dictionary(uniqueKeysWithValues: sides.map { ($0.name, $0) }),
                programs: [Self.program: program], providers: [ScriptedProvider.self],
                publicURL: "https://passgate.example"),
            store: ownStore ? try Self.store(in: folder, clock: clock) : store,
            keys: try KeyRing([SecretBytes(utf8: "an-invented-root-secret-of-32-bytes!")]), clock: clock,
            random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }, instance: instance,
            report: { Issue.record("the store failed: \($0.failure)") },
            announce: { [weak self] stop in self?.stops.withLock { $0.append(stop) } })
    }

    /// Opens a migration from the old side to the new one.
    func open(
        _ mode: StoredMigration.Mode = .live, cohort: StoredMigration.Cohort = .percent(basisPoints: 5000),
        action: StoredMigration.Guard.Action = .rollback
    ) async throws {
        let migration = StoredMigration(
            id: "mig_1", program: Self.program, from: "old_main", to: "new_main", mode: mode, cohort: cohort,
            guard: StoredMigration.Guard(minAttempts: 50, margin: 0.03, action: action), at: clock.now)
        guard case .opened = try await store.open(migration, listing: [], audit: AuditActor(name: "test")) else {
            Issue.record("it was not opened")
            return
        }
    }

    func migration() async throws -> StoredMigration {
        try #require(try await store.migration("mig_1", program: Self.program))
    }

    /// So many attempts of new cards at a side, the first of which fail.
    func attempts(_ count: Int, failed: Int, at side: String, code: ProblemCode = .providerUnavailable) async throws {
        let (store, clock) = (store, clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await Self.attempt(
                        at: side, failing: number < failed ? code : nil, in: store, at: clock.now)
                }
            }
            try await group.waitForAll()
        }
    }

    private static func attempt(
        at side: String, failing code: ProblemCode?, in store: SQLiteStore, at now: Timestamp
    ) async throws {
        let name = UUID().uuidString
        let binding = CardBinding(
            connection: side, providerCardID: "card_\(name.lowercased().filter { $0 != "-" })", last4: "4242",
            network: .visa)
        let key = CardKey(program: program, id: name)
        _ = try await store.putCard(
            CardDraft(
                key: key, binding: binding, cardholderID: "user-\(name)", cardholderName: "Ada Example", title: nil,
                artURL: nil, metadata: nil, at: now), audit: AuditActor(name: "test"))
        let card = try #require(try await store.card(key))
        var record = StoredProvisioning(
            id: "prov_\(name)", card: key, provider: "scripted", connection: side,
            providerCardID: binding.providerCardID, wallet: .applePay, channel: .inApp, origin: .app,
            handoffType: .applePayPass, status: .sending, createdAt: now, deadlineAt: now.adding(milliseconds: 15_000),
            repairs: [], warnings: [], timeline: [], instance: "one")
        let result = try await store.reserve(
            Reservation(
                record: record, card: ServingCard(card, through: binding), handshakeDigest: nil,
                handshakeExpiresAt: now,
                idempotency: nil))
        #expect(result == .reserved)
        record.status = code == nil ? .handedOff : .refused
        record.deliveredAt = code == nil ? now : nil
        record.failure = code.map { StoredFailure(code: $0, outcome: .refused, situation: .sentSingleUse) }
        try await store.complete(ProvisioningCompletion(record: record, releasedHandshake: nil, idempotency: nil))
    }

    /// Lets so many minutes pass.
    func wait(minutes: Int64) { clock.advance(milliseconds: minutes * 60_000) }

    /// Runs on the loop.
    func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await loop.on { () async throws -> Result in try await body() }
    }
}
