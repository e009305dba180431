import Provisioning
import Storage
import Testing

@Suite("Every store lets one instance guard a migration at a time")
struct GuardContractTests {
    private static let look: Int64 = 300_000

    private static func claim(after milliseconds: Int64, _ holder: String = "one") -> GuardClaim {
        GuardClaim(
            now: Moment.after(milliseconds), holder: holder, leaseUntil: Moment.after(milliseconds + 60_000),
            limit: 10)
    }

    private static func made(_ number: Int, after milliseconds: Int64, isTripped: Bool = false) -> GuardLook {
        GuardLook(
            stage: .handoff, number: number, at: Moment.after(milliseconds),
            from: StageTally(observed: 900, succeeded: 882), to: StageTally(observed: 100, succeeded: 90),
            pValue: 0.000125, level: 0.003, isTripped: isTripped)
    }

    private func withMigration(
        _ kind: StoreKind, action: StoredMigration.Guard.Action = .rollback,
        _ body: @Sendable (any GatewayStore, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            var migration = StoredMigration.sample()
            migration.guard?.action = action
            _ = try await store.open(migration, listing: [], audit: .backend)
            try await body(store, test)
        }
    }

    @Test(arguments: StoreKind.all)
    func looksAreAFixedGridThatAllInstancesShare(_ kind: StoreKind) async throws {
        try await withMigration(kind) { store, test in
            let other = try await test.open()
            #expect(try await store.claim(Self.claim(after: Self.look - 1)).isEmpty)
            let watch = try #require(try await store.claim(Self.claim(after: Self.look + 5)).first)
            #expect(watch.migration.id == "mig_1" && watch.looks.isEmpty && watch.beganAt == Moment.start)
            #expect(try await other.claim(Self.claim(after: Self.look + 10, "two")).isEmpty)
            let look = Self.made(1, after: Self.look + 5)
            let end = GuardEnd(watch: watch, holder: "one", at: Moment.after(Self.look + 5), looks: [look])
            #expect(try await store.finish(end) == nil)
            #expect(try await other.claim(Self.claim(after: 2 * Self.look - 1, "two")).isEmpty)
            let next = try #require(try await other.claim(Self.claim(after: 2 * Self.look, "two")).first)
            #expect(next.looks == [look] && next.lookedAt == Moment.after(Self.look + 5))
            // What was missed is not made up for.
            _ = try await other.finish(
                GuardEnd(watch: next, holder: "two", at: Moment.after(7 * Self.look + 1), looks: []))
            #expect(try await store.claim(Self.claim(after: 8 * Self.look - 1)).isEmpty)
            #expect(try await store.claim(Self.claim(after: 8 * Self.look)).count == 1)
        }
    }

    @Test(arguments: StoreKind.all)
    func whatACrashedInstanceHeldIsTakenOver(_ kind: StoreKind) async throws {
        try await withMigration(kind) { store, test in
            let watch = try #require(try await store.claim(Self.claim(after: Self.look)).first)
            let other = try await test.open()
            #expect(try await other.claim(Self.claim(after: Self.look + 59_999, "two")).isEmpty)
            #expect(try await other.claim(Self.claim(after: Self.look + 60_000, "two")).count == 1)
            // The first one is not dead, only slow: what it saw counts no more.
            let late = Self.made(1, after: Self.look, isTripped: true)
            #expect(
                try await store.finish(
                    GuardEnd(watch: watch, holder: "one", at: Moment.after(Self.look + 61_000), looks: [late])) == nil)
            #expect(try await store.migration("mig_1", program: "rides")?.status == .open)
        }
    }

    @Test(arguments: StoreKind.all)
    func aLookThatTripsTakesTheStepAndSaysWhy(_ kind: StoreKind) async throws {
        try await withMigration(kind) { store, _ in
            let watch = try #require(try await store.claim(Self.claim(after: Self.look)).first)
            let look = Self.made(1, after: Self.look, isTripped: true)
            let result = try await store.finish(
                GuardEnd(watch: watch, holder: "one", at: Moment.after(Self.look), looks: [look]))
            guard case .taken(let migration)? = result else {
                Issue.record("it was not taken: \(String(describing: result))")
                return
            }
            #expect(migration.status == .rolledBack)
            let words = "At the stage handoff, 10 of 100 failed at the new side and 18 of 900 at the old: "
            #expect(migration.why == words + "p = 1.25e-4, below 3.00e-3 at look 1.")
            let entry = try #require(try await store.auditEntries(program: "rides", after: 0, limit: 10).last)
            #expect(entry.actor == "guard" && entry.action == "migration.rolled_back" && entry.subject == "mig_1")
            let event = try #require(
                try await store.events(
                    EventQuery(program: "rides", type: "migration.rolled_back", page: PageRequest())
                ).elements.first)
            let members = Dictionary(event.members.map { ($0.name, $0.value) }) { first, _ in first }
            #expect(members["why"] == migration.why && members["stage"] == "handoff" && members["look"] == "1")
            #expect(members["from_observed"] == "900" && members["from_failure_rate"] == "0.0200")
            #expect(members["to_failed"] == "10" && members["to_failure_rate"] == "0.1000")
            #expect(members["score"] == "4.6" && members["p_value"] == "1.25e-4" && members["level"] == "3.00e-3")
            #expect(try await store.claim(Self.claim(after: 10 * Self.look)).isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func whoResumesWhatAGuardPausedBeginsAnew(_ kind: StoreKind) async throws {
        try await withMigration(kind, action: .pause) { store, _ in
            let watch = try #require(try await store.claim(Self.claim(after: Self.look)).first)
            _ = try await store.finish(
                GuardEnd(
                    watch: watch, holder: "one", at: Moment.after(Self.look),
                    looks: [Self.made(1, after: Self.look, isTripped: true)]))
            #expect(try await store.migration("mig_1", program: "rides")?.status == .paused)
            #expect(try await store.claim(Self.claim(after: 5 * Self.look)).isEmpty)
            _ = try await store.take(.sample(.resume, after: 6 * Self.look + 7), audit: .backend)
            #expect(try await store.claim(Self.claim(after: 7 * Self.look)).isEmpty)
            let again = try #require(try await store.claim(Self.claim(after: 7 * Self.look + 7)).first)
            #expect(again.round == 2 && again.looks.isEmpty && again.beganAt == Moment.after(6 * Self.look + 7))
        }
    }

    @Test(arguments: StoreKind.all)
    func aShadowAndAMigrationWithoutAGuardAreNotLookedAt(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.open(.sample(mode: .shadow), listing: [], audit: .backend)
            var free = StoredMigration.sample("mig_2", program: "travel")
            free.guard = nil
            _ = try await store.open(free, listing: [], audit: .backend)
            #expect(try await store.claim(Self.claim(after: Self.look)).isEmpty)
        }
    }
}
