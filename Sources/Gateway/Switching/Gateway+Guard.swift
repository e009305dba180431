import EventLoop
import ProviderKit
import Provisioning
import Storage

extension Gateway {
    /// How often guards that are due are looked for, and what was counted for reports is written.
    private static let guardInterval: Duration = .seconds(1)
    /// How many migrations are looked at before others have their turn.
    private static let guardLimit = 16
    /// How long other instances leave a migration that this one looks at.
    private static let guardLeaseMilliseconds: Int64 = 60_000

    /// Guards live migrations, and writes what was counted for reports, until the task is cancelled. Run it on a loop that serves,
    /// once per process: of several processes on one store, one looks at a migration at a time.
    ///
    /// - Parameter current: The gateway with the configuration in force.
    public static func keepGuarding(_ current: @escaping @Sendable () -> Gateway) async {
        guard let loop = EventLoop.current else { return }
        while (try? await loop.sleep(for: guardInterval)) != nil {
            let gateway = current()
            await gateway.keepCounts()
            await gateway.guardDue()
        }
        // What the last second found. The store is open until this has ended.
        await current().keepCounts()
    }

    /// Looks at the migrations whose guards are due. How many there were.
    @discardableResult
    func guardDue() async -> Int {
        do throws(StoreFailure) {
            let now = clock.now
            let watches = try await store.claim(
                GuardClaim(
                    now: now, holder: instance, leaseUntil: now.adding(milliseconds: Self.guardLeaseMilliseconds),
                    limit: Self.guardLimit))
            for watch in watches { try await look(watch, at: now) }
            return watches.count
        } catch {
            // The leases run out, and the guards look again.
            report(StoreTrouble(failure: error, provisioning: nil))
            return 0
        }
    }

    private func look(_ watch: GuardWatch, at now: Timestamp) async throws(StoreFailure) {
        guard let settings = watch.migration.guard else { return }
        let test = GuardTest(minAttempts: settings.minAttempts, margin: settings.margin)
        let window = GuardWindow(watch, at: now)
        let to = try await store.tally(window.to)
        var from = try await store.tally(window.from)
        if from.handoff.observed < settings.minAttempts, let further = window.furtherFrom {
            from = try await store.tally(further)
        }
        let hasTokens = tellsOfTokens(watch.migration)
        var looks: [GuardLook] = []
        for stage in SwitchStage.allCases {
            let look = test.look(
                at: stage, from: from.stage(stage, hasTokens: hasTokens), to: to.stage(stage, hasTokens: hasTokens),
                after: watch.looks.filter { $0.stage == stage }, at: now)
            if let look { looks.append(look) }
        }
        let result = try await store.finish(GuardEnd(watch: watch, holder: instance, at: now, looks: looks))
        if case .taken(let migration)? = result {
            metrics.countGuardStop(program: migration.program)
            announce(GuardStop(migration: migration))
        }
    }

    /// Whether the processors of both sides tell when tokens become active: else the sides are compared by whether the
    /// card came into the wallet, as devices say, or tokens that are there.
    func tellsOfTokens(_ migration: StoredMigration) -> Bool {
        [migration.from, migration.to].allSatisfy { name in
            directory.connections[name].map { $0.descriptor.tokenFeed != .none && $0.descriptor.tellsActivation }
                ?? false
        }
    }
}
