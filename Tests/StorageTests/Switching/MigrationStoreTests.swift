import Provisioning
import SQLite
import Testing

@testable import Storage

@Suite("Migrations in the store")
struct MigrationStoreTests {
    let folder: TemporaryFolder
    let test: SQLiteUnderTest
    let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        test = SQLiteUnderTest(path: folder.file("passgate.db"))
        store = try test.openSQLite()
    }

    /// A card that is active at `increase_main`, with a standby binding at `stripe_us` unless told otherwise.
    private func card(
        _ id: String = "card_1", program: String = "rides", cardholder: String = "user_1", isBound: Bool = true
    ) async throws {
        _ = try await store.putCard(
            .sample(id, program: program, provider: "card_\(program)\(id)", cardholder: cardholder), audit: .backend)
        guard isBound else { return }
        try await store.writer.write { database in
            guard let number = try database.cards.number(of: CardKey(program: program, id: id)) else { return }
            try database.bindings.insert(
                StoredBinding(card: .stripe("ic_\(program)\(id)"), state: .standby), card: number)
        }
    }

    private func reservation(
        _ id: String, card: String = "card_1", at binding: CardBinding, detour: Detour? = nil
    ) -> Reservation {
        var record = StoredProvisioning.sample(id, card: card)
        record.connection = binding.connection
        record.providerCardID = binding.providerCardID
        return Reservation(
            record: record, card: .sample(binding), detour: detour, handshakeDigest: nil,
            handshakeExpiresAt: Moment.after(Moment.day), idempotency: nil)
    }

    private var from: CardBinding { .increase("card_ridescard_1") }
    private var to: CardBinding { .stripe("ic_ridescard_1") }

    private func open(_ migration: StoredMigration = .sample(), listing cards: [String] = []) async throws {
        guard case .opened = try await store.open(migration, listing: cards, audit: .backend) else {
            Issue.record("it was not opened")
            return
        }
    }

    private func serving(_ id: String = "card_1") async throws -> String? {
        try await store.card(.rides(id))?.servingBinding?.card.connection
    }

    @Test func aMigrationIsKeptWhole() async throws {
        try await open(.sample(cohort: .percent(basisPoints: 1234)))
        let other = try test.openSQLite()
        let found = try await other.migration("mig_1", program: "rides")
        #expect(found == .sample(cohort: .percent(basisPoints: 1234)))
        #expect(try await other.migration("mig_1", program: "meals") == nil)
        #expect(try await other.migration("mig_2", program: "rides") == nil)
    }

    @Test func oneMigrationOfAProgramIsInForce() async throws {
        try await open()
        let second = try await store.open(.sample("mig_2"), listing: [], audit: .backend)
        #expect(second == .conflict("mig_1"))
        try await open(.sample("mig_3", program: "meals"))
        _ = try await store.take(.sample(.pause), audit: .backend)
        #expect(try await store.open(.sample("mig_2"), listing: [], audit: .backend) == .conflict("mig_1"))
        _ = try await store.take(.sample(.rollback), audit: .backend)
        try await open(.sample("mig_2"))
        let page = try await store.migrations(MigrationQuery(program: "rides", page: PageRequest(limit: 1)))
        #expect(page.elements.map(\.id) == ["mig_2"])
        let rest = try await store.migrations(
            MigrationQuery(program: "rides", page: PageRequest(limit: 1, cursor: page.nextCursor)))
        #expect(rest.elements.map(\.id) == ["mig_1"] && rest.nextCursor == nil)
        let back = try await store.migrations(
            MigrationQuery(program: "rides", status: .rolledBack, page: PageRequest()))
        #expect(back.elements.map(\.id) == ["mig_1"])
    }

    @Test func aReservationGoesByTheMigrationAsItIsThen() async throws {
        try await card()
        let other = try test.openSQLite()
        #expect(try await store.reserve(reservation("prov_1", at: from)) == .reserved)
        #expect(try await store.reserve(reservation("prov_x", at: to)) == .cardChanged)
        try await open(.sample(cohort: .percent(basisPoints: 0)))
        #expect(try await other.reserve(reservation("prov_2", at: from)) == .reserved)
        _ = try await store.take(.sample(.advance(.percent(basisPoints: 10_000))), audit: .backend)
        // The other process planned with what it had read before.
        #expect(try await other.reserve(reservation("prov_x", at: from)) == .cardChanged)
        #expect(try await other.reserve(reservation("prov_3", at: to)) == .reserved)
        _ = try await other.take(.sample(.pause), audit: .backend)
        #expect(try await store.reserve(reservation("prov_4", at: to)) == .reserved)
        _ = try await other.take(.sample(.rollback), audit: .backend)
        #expect(try await store.reserve(reservation("prov_x", at: to)) == .cardChanged)
        #expect(try await store.reserve(reservation("prov_5", at: from)) == .reserved)
        #expect(try await store.provisioning("prov_x", program: "rides") == nil)
        let migrations = try await (1...5).asyncMap { number in
            try await store.provisioning("prov_\(number)", program: "rides")?.migration
        }
        #expect(migrations == [nil, "mig_1", "mig_1", "mig_1", nil])
    }

    @Test func aShadowMovesNobody() async throws {
        try await card()
        try await open(.sample(mode: .shadow))
        #expect(try await serving() == "increase_main")
        #expect(try await store.card(.rides("card_1"))?.migration == .sample(mode: .shadow))
        #expect(try await store.reserve(reservation("prov_1", at: from)) == .reserved)
    }

    @Test func aListMovesItsCardsAndNoOthers() async throws {
        for id in ["card_1", "card_2", "card_3"] { try await card(id) }
        try await open(.sample(cohort: .cards(count: 0)), listing: ["card_1", "unknown", "card_1"])
        #expect(try await store.migration("mig_1", program: "rides")?.cohort == .cards(count: 2))
        #expect(try await serving() == "stripe_us")
        #expect(try await serving("card_2") == "increase_main")
        _ = try await store.take(.sample(.advance(.cards(["card_2"]))), audit: .backend)
        #expect(try await store.migration("mig_1", program: "rides")?.cohort == .cards(count: 3))
        #expect(try await serving("card_2") == "stripe_us")
        #expect(try await serving("card_3") == "increase_main")
        let page = try await store.cards(CardQuery(program: "rides", page: PageRequest()))
        let listed = page.elements.map { $0.servingBinding?.card.connection }
        #expect(listed == ["stripe_us", "stripe_us", "increase_main"])
        _ = try await store.take(.sample(.advance(.percent(basisPoints: 10_000))), audit: .backend)
        #expect(try await serving("card_3") == "stripe_us")
    }

    @Test func completionLeavesEveryCardWhereItWasServed() async throws {
        for number in 0..<450 { try await card("card_\(number)", isBound: number % 9 != 0) }
        try await card("card_1", program: "meals")
        try await open()
        let before = try await (0..<450).asyncMap { try await serving("card_\($0)") }
        _ = try await store.take(.sample(.complete), audit: .backend)
        #expect(try await store.open(.sample("mig_2"), listing: [], audit: .backend) == .conflict("mig_1"))
        var batches = 0
        while try await store.settleMigration(at: Moment.after(2000)) {
            batches += 1
            for number in stride(from: 0, to: 450, by: 31) {
                #expect(try await serving("card_\(number)") == before[number])
            }
        }
        #expect(batches == 3)
        #expect(try await store.migration("mig_1", program: "rides")?.settledAt == Moment.after(2000))
        for number in 0..<450 {
            let card = try #require(try await store.card(.rides("card_\(number)")))
            #expect(card.servingBinding?.card.connection == before[number] && card.migration == nil)
            let isBound = number % 9 != 0
            #expect(card.bindings.map(\.state) == (isBound ? [.retired, .active] : [.active]))
            #expect(card.updatedAt == (isBound ? Moment.after(2000) : Moment.start))
        }
        let elsewhere = try await store.card(CardKey(program: "meals", id: "card_1"))
        #expect(elsewhere?.bindings.map(\.state) == [.active, .standby])
        let changed = try await store.events(.rides(card: "card_1", type: "card.binding_changed"))
        #expect(changed.elements.map(\.sequence) == [1, 2])
        for (event, (name, states)) in zip(
            changed.elements,
            [("increase_main", ["active", "retired"]), ("stripe_us", ["standby", "active"])])
        {
            let members = Dictionary(uniqueKeysWithValues: event.members.map { ($0.name, $0.value) })
            #expect(members["connection"] == name && members["change"] == "changed")
            #expect([members["previous_state"], members["state"]] == states && members["migration"] == "mig_1")
            #expect(members.keys.contains("provider"))
        }
        try await open(.sample("mig_2"))
    }

    @Test func anUpsertWithTheOldBindingDoesNotUndoAMigration() async throws {
        try await card()
        try await open()
        _ = try await store.take(.sample(.complete), audit: .backend)
        while try await store.settleMigration(at: Moment.after(2000)) {}
        var draft = CardDraft.sample(provider: from.providerCardID, at: Moment.after(3000))
        draft.title = "New"
        guard case .updated(let card) = try await store.putCard(draft, audit: .backend) else {
            Issue.record("it was not updated")
            return
        }
        #expect(card.title == "New" && card.bindings.map(\.state) == [.retired, .active])
        #expect(try await serving() == "stripe_us")
    }

    @Test func theOldSidesWebhooksStillUpdateItsTokens() async throws {
        try await card()
        #expect(try await store.reserve(reservation("prov_1", at: from)) == .reserved)
        let report = TokenReport.sample(
            .sample(after: 10), observedAfter: 20, providerCardID: from.providerCardID)
        let token = try #require(try await store.settle(report).tokens.first)
        try await open()
        _ = try await store.take(.sample(.complete), audit: .backend)
        while try await store.settleMigration(at: Moment.after(2000)) {}
        let owner = try await store.card(
            ofProviderCard: from.providerCardID, orToken: nil, at: "increase_main")
        #expect(owner?.card == .rides("card_1"))
        let later = TokenReport.sample(
            .sample("token_1", .suspended, after: 10), observedAfter: 5000, providerCardID: from.providerCardID)
        #expect(try await store.settle(later).tokens.map(\.id) == [token.id])
        #expect(try await store.token(token.id, program: "rides")?.sighting.status == .suspended)
    }

    @Test func theSweepSettlesWhatACrashLeft() async throws {
        try await card()
        try await open()
        _ = try await store.take(.sample(.complete), audit: .backend)
        let other = try test.openSQLite()
        try await other.sweep(at: Moment.after(9000), retention: Retention())
        #expect(try await other.migration("mig_1", program: "rides")?.settledAt == Moment.after(9000))
        #expect(try await serving() == "stripe_us")
    }

    @Test func everyChangeIsAuditedAndTold() async throws {
        try await open(.sample(cohort: .percent(basisPoints: 100)))
        let steps: [MigrationStep.Action] = [
            .advance(.percent(basisPoints: 10_000)), .advance(.percent(basisPoints: 10_000)), .pause, .pause, .resume,
            .rollback, .complete,
        ]
        for step in steps { _ = try await store.take(.sample(step), audit: AuditActor(name: "guard")) }
        let names = ["created", "advanced", "paused", "resumed", "rolled_back"].map { "migration.\($0)" }
        let events = try await store.events(.rides(type: "migration.*")).elements
        #expect(events.map(\.type) == names)
        #expect(events.allSatisfy { $0.card == nil && $0.program == "rides" })
        #expect(events.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(events[1].members.contains(.init("cohort", "100%")))
        let trail = try await store.auditEntries(program: "rides", after: 0, limit: 100)
        #expect(trail.map(\.action) == names && trail.map(\.subject) == Array(repeating: "mig_1", count: 5))
        #expect(trail.map(\.actor) == ["backend"] + Array(repeating: "guard", count: 4))
        #expect(trail[2].before.map(\.value) == ["open"] && trail[2].after.map(\.value) == ["paused"])
        #expect(AuditChain.sample.firstBreak(in: trail) == nil)
    }

    @Test func theReachCountsActiveCardsOfFromThatToCannotServe() async throws {
        try await card("card_1")
        try await card("card_2", isBound: false)
        try await card("card_3", isBound: false)
        try await card("card_1", program: "meals", isBound: false)
        _ = try await store.eraseCard(.rides("card_3"), audit: .backend)
        var query = MigrationReachQuery(program: "rides", from: "increase_main", to: "stripe_us")
        #expect(try await store.reach(query) == MigrationReach(cards: 2, withoutBinding: 1))
        query.cards = ["card_1", "unknown"]
        #expect(try await store.reach(query) == MigrationReach(cards: 1, withoutBinding: 0))
        query = MigrationReachQuery(program: "rides", from: "stripe_us", to: "increase_main")
        #expect(try await store.reach(query) == MigrationReach(cards: 0, withoutBinding: 0))
    }

    @Test func whatAppsCannotDoIsCounted() async throws {
        try await card()
        try await open()
        let detour = Detour(reason: .accept, routed: "stripe_us", migration: "mig_1")
        #expect(try await store.reserve(reservation("prov_1", at: from, detour: detour)) == .reserved)
        #expect(try await store.reserve(reservation("prov_2", at: to)) == .reserved)
        for _ in 0..<3 { try await store.countAppCannot(in: "mig_1", program: "rides") }
        try await store.countAppCannot(in: "mig_1", program: "meals")
        #expect(
            try await store.appCannot(in: "mig_1", program: "rides") == AppCannotCount(served: 1, refused: 3))
        #expect(try await store.appCannot(in: "mig_1", program: "meals") == nil)
        #expect(try await store.provisioning("prov_1", program: "rides")?.detour == .accept)
    }

    @Test func whatWasReadLatelyIsForgottenWithAStep() async throws {
        try await card()
        _ = try await store.card(.rides("card_1"))
        #expect(store.recentCard(.rides("card_1")) != nil)
        try await open()
        #expect(store.recentCard(.rides("card_1")) == nil)
        #expect(try await serving() == "stripe_us")
        _ = try await store.take(.sample(.rollback), audit: .backend)
        #expect(store.recentCard(.rides("card_1")) == nil)
    }

    @Test func theProbeOfAReservationIsOneLookUp() throws {
        let raw = try Connection(path: test.path, mode: .readOnly)
        let plan = try raw.all(
            "EXPLAIN QUERY PLAN SELECT * FROM migration WHERE program = 'rides' AND is_in_force = 1"
        ) { $0.text(3) }
        #expect(plan == ["SEARCH migration USING INDEX migration_in_force (program=?)"])
    }
}

extension Sequence where Self: Sendable, Element: Sendable {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
