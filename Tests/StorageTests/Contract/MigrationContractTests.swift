import Provisioning
import Storage
import Testing

@Suite("Every store keeps migrations as promised")
struct MigrationContractTests {
    @Test(arguments: StoreKind.all) func aMigrationIsKeptWhole(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            try await house.open(.sample(cohort: .percent(basisPoints: 1234)))
            let other = try await house.test.open()
            let found = try await other.migration("mig_1", program: "rides")
            #expect(found == .sample(cohort: .percent(basisPoints: 1234)))
            #expect(try await other.migration("mig_1", program: "meals") == nil)
            #expect(try await other.migration("mig_2", program: "rides") == nil)
        }
    }

    @Test(arguments: StoreKind.all) func oneMigrationOfAProgramIsInForce(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            try await house.open()
            let second = try await house.store.open(.sample("mig_2"), listing: [], audit: .backend)
            #expect(second == .conflict("mig_1"))
            try await house.open(.sample("mig_3", program: "meals"))
            _ = try await house.store.take(.sample(.pause), audit: .backend)
            #expect(try await house.store.open(.sample("mig_2"), listing: [], audit: .backend) == .conflict("mig_1"))
            _ = try await house.store.take(.sample(.rollback), audit: .backend)
            try await house.open(.sample("mig_2"))
            let page = try await house.store.migrations(MigrationQuery(program: "rides", page: PageRequest(limit: 1)))
            #expect(page.elements.map(\.id) == ["mig_2"])
            let rest = try await house.store.migrations(
                MigrationQuery(program: "rides", page: PageRequest(limit: 1, cursor: page.nextCursor)))
            #expect(rest.elements.map(\.id) == ["mig_1"] && rest.nextCursor == nil)
            let back = try await house.store.migrations(
                MigrationQuery(program: "rides", status: .rolledBack, page: PageRequest()))
            #expect(back.elements.map(\.id) == ["mig_1"])
        }
    }

    @Test(arguments: StoreKind.all) func aReservationGoesByTheMigrationAsItIsThen(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            try await house.card()
            let other = try await house.test.open()
            #expect(try await house.store.reserve(house.reservation("prov_1", at: house.from)) == .reserved)
            #expect(try await house.store.reserve(house.reservation("prov_x", at: house.to)) == .cardChanged)
            try await house.open(.sample(cohort: .percent(basisPoints: 0)))
            #expect(try await other.reserve(house.reservation("prov_2", at: house.from)) == .reserved)
            _ = try await house.store.take(.sample(.advance(.percent(basisPoints: 10_000))), audit: .backend)
            // The other process planned with what it had read before.
            #expect(try await other.reserve(house.reservation("prov_x", at: house.from)) == .cardChanged)
            #expect(try await other.reserve(house.reservation("prov_3", at: house.to)) == .reserved)
            _ = try await other.take(.sample(.pause), audit: .backend)
            #expect(try await house.store.reserve(house.reservation("prov_4", at: house.to)) == .reserved)
            _ = try await other.take(.sample(.rollback), audit: .backend)
            #expect(try await house.store.reserve(house.reservation("prov_x", at: house.to)) == .cardChanged)
            #expect(try await house.store.reserve(house.reservation("prov_5", at: house.from)) == .reserved)
            #expect(try await house.store.provisioning("prov_x", program: "rides") == nil)
            let migrations = try await (1...5).asyncMap { number in
                try await house.store.provisioning("prov_\(number)", program: "rides")?.migration
            }
            #expect(migrations == [nil, "mig_1", "mig_1", "mig_1", nil])
        }
    }

    @Test(arguments: StoreKind.all) func aShadowMovesNobody(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            try await house.card()
            try await house.open(.sample(mode: .shadow))
            #expect(try await house.serving() == "increase_main")
            #expect(try await house.store.card(.rides("card_1"))?.migration == .sample(mode: .shadow))
            #expect(try await house.store.reserve(house.reservation("prov_1", at: house.from)) == .reserved)
        }
    }

    @Test(arguments: StoreKind.all) func aListMovesItsCardsAndNoOthers(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            for id in ["card_1", "card_2", "card_3"] { try await house.card(id) }
            try await house.open(.sample(cohort: .cards(count: 0)), listing: ["card_1", "unknown", "card_1"])
            #expect(try await house.store.migration("mig_1", program: "rides")?.cohort == .cards(count: 2))
            #expect(try await house.serving() == "stripe_us")
            #expect(try await house.serving("card_2") == "increase_main")
            _ = try await house.store.take(.sample(.advance(.cards(["card_2"]))), audit: .backend)
            #expect(try await house.store.migration("mig_1", program: "rides")?.cohort == .cards(count: 3))
            #expect(try await house.serving("card_2") == "stripe_us")
            #expect(try await house.serving("card_3") == "increase_main")
            let page = try await house.store.cards(CardQuery(program: "rides", page: PageRequest()))
            let listed = page.elements.map { $0.servingBinding?.card.connection }
            #expect(listed == ["stripe_us", "stripe_us", "increase_main"])
            _ = try await house.store.take(.sample(.advance(.percent(basisPoints: 10_000))), audit: .backend)
            #expect(try await house.serving("card_3") == "stripe_us")
        }
    }

    @Test(arguments: StoreKind.all) func completionLeavesEveryCardWhereItWasServed(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            for number in 0..<450 { try await house.card("card_\(number)", isBound: number % 9 != 0) }
            try await house.card("card_1", program: "meals")
            try await house.open()
            let before = try await (0..<450).asyncMap { try await house.serving("card_\($0)") }
            _ = try await house.store.take(.sample(.complete), audit: .backend)
            #expect(try await house.store.open(.sample("mig_2"), listing: [], audit: .backend) == .conflict("mig_1"))
            var batches = 0
            while try await house.store.settleMigration(at: Moment.after(2000)) {
                batches += 1
                for number in stride(from: 0, to: 450, by: 31) {
                    #expect(try await house.serving("card_\(number)") == before[number])
                }
            }
            #expect(batches == 3)
            #expect(try await house.store.migration("mig_1", program: "rides")?.settledAt == Moment.after(2000))
            for number in 0..<450 {
                let card = try #require(try await house.store.card(.rides("card_\(number)")))
                #expect(card.servingBinding?.card.connection == before[number] && card.migration == nil)
                let isBound = number % 9 != 0
                #expect(card.bindings.map(\.state) == (isBound ? [.retired, .active] : [.active]))
                #expect(card.updatedAt == (isBound ? Moment.after(2000) : Moment.start))
            }
            let elsewhere = try await house.store.card(CardKey(program: "meals", id: "card_1"))
            #expect(elsewhere?.bindings.map(\.state) == [.active, .standby])
            let changed = try await house.store.events(.rides(card: "card_1", type: "card.binding_changed"))
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
            try await house.open(.sample("mig_2"))
        }
    }

    @Test(arguments: StoreKind.all) func anUpsertWithTheOldBindingDoesNotUndoAMigration(_ kind: StoreKind) async throws
    {
        try await MigrationHouse.with(kind) { house in
            try await house.card()
            try await house.open()
            _ = try await house.store.take(.sample(.complete), audit: .backend)
            while try await house.store.settleMigration(at: Moment.after(2000)) {}
            var draft = CardDraft.sample(provider: house.from.providerCardID, at: Moment.after(3000))
            draft.title = "New"
            guard case .updated(let card) = try await house.store.putCard(draft, audit: .backend) else {
                Issue.record("it was not updated")
                return
            }
            #expect(card.title == "New" && card.bindings.map(\.state) == [.retired, .active])
            #expect(try await house.serving() == "stripe_us")
        }
    }

    @Test(arguments: StoreKind.all) func theOldSidesWebhooksStillUpdateItsTokens(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            try await house.card()
            #expect(try await house.store.reserve(house.reservation("prov_1", at: house.from)) == .reserved)
            let report = TokenReport.sample(
                .sample(after: 10), observedAfter: 20, providerCardID: house.from.providerCardID)
            let token = try #require(try await house.store.settle(report).tokens.first)
            try await house.open()
            _ = try await house.store.take(.sample(.complete), audit: .backend)
            while try await house.store.settleMigration(at: Moment.after(2000)) {}
            let owner = try await house.store.card(
                ofProviderCard: house.from.providerCardID, orToken: nil, at: "increase_main")
            #expect(owner?.card == .rides("card_1"))
            let later = TokenReport.sample(
                .sample("token_1", .suspended, after: 10), observedAfter: 5000,
                providerCardID: house.from.providerCardID)
            #expect(try await house.store.settle(later).tokens.map(\.id) == [token.id])
            #expect(try await house.store.token(token.id, program: "rides")?.sighting.status == .suspended)
        }
    }

    @Test(arguments: StoreKind.all) func theSweepSettlesWhatACrashLeft(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            try await house.card()
            try await house.open()
            _ = try await house.store.take(.sample(.complete), audit: .backend)
            let other = try await house.test.open()
            try await other.sweep(at: Moment.after(9000), retention: Retention())
            #expect(try await other.migration("mig_1", program: "rides")?.settledAt == Moment.after(9000))
            #expect(try await house.serving() == "stripe_us")
        }
    }

    @Test(arguments: StoreKind.all) func everyChangeIsAuditedAndTold(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            try await house.open(.sample(cohort: .percent(basisPoints: 100)))
            let steps: [MigrationStep.Action] = [
                .advance(.percent(basisPoints: 10_000)), .advance(.percent(basisPoints: 10_000)), .pause, .pause,
                .resume,
                .rollback, .complete,
            ]
            for step in steps { _ = try await house.store.take(.sample(step), audit: AuditActor(name: "guard")) }
            let names = ["created", "advanced", "paused", "resumed", "rolled_back"].map { "migration.\($0)" }
            let events = try await house.store.events(.rides(type: "migration.*")).elements
            #expect(events.map(\.type) == names)
            #expect(events.allSatisfy { $0.card == nil && $0.program == "rides" })
            #expect(events.map(\.sequence) == [1, 2, 3, 4, 5])
            #expect(events[1].members.contains(.init("cohort", "100%")))
            let trail = try await house.store.auditEntries(program: "rides", after: 0, limit: 100)
            #expect(trail.map(\.action) == names && trail.map(\.subject) == Array(repeating: "mig_1", count: 5))
            #expect(trail.map(\.actor) == ["backend"] + Array(repeating: "guard", count: 4))
            #expect(trail[2].before.map(\.value) == ["open"] && trail[2].after.map(\.value) == ["paused"])
            #expect(AuditChain.sample.firstBreak(in: trail) == nil)
        }
    }

    @Test(arguments: StoreKind.all) func theReachCountsActiveCardsOfFromThatToCannotServe(_ kind: StoreKind)
        async throws
    {
        try await MigrationHouse.with(kind) { house in
            try await house.card("card_1")
            try await house.card("card_2", isBound: false)
            try await house.card("card_3", isBound: false)
            try await house.card("card_1", program: "meals", isBound: false)
            _ = try await house.store.eraseCard(.rides("card_3"), audit: .backend)
            var query = MigrationReachQuery(program: "rides", from: "increase_main", to: "stripe_us")
            #expect(try await house.store.reach(query) == MigrationReach(cards: 2, withoutBinding: 1))
            query.cards = ["card_1", "unknown"]
            #expect(try await house.store.reach(query) == MigrationReach(cards: 1, withoutBinding: 0))
            query = MigrationReachQuery(program: "rides", from: "stripe_us", to: "increase_main")
            #expect(try await house.store.reach(query) == MigrationReach(cards: 0, withoutBinding: 0))
        }
    }

    @Test(arguments: StoreKind.all) func whatAppsCannotDoIsCounted(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            try await house.card()
            try await house.open()
            let detour = Detour(reason: .accept, routed: "stripe_us", migration: "mig_1")
            #expect(
                try await house.store.reserve(house.reservation("prov_1", at: house.from, detour: detour)) == .reserved)
            #expect(try await house.store.reserve(house.reservation("prov_2", at: house.to)) == .reserved)
            for _ in 0..<3 { try await house.store.countAppCannot(in: "mig_1", program: "rides") }
            try await house.store.countAppCannot(in: "mig_1", program: "meals")
            #expect(
                try await house.store.appCannot(in: "mig_1", program: "rides") == AppCannotCount(served: 1, refused: 3))
            #expect(try await house.store.appCannot(in: "mig_1", program: "meals") == nil)
            #expect(try await house.store.provisioning("prov_1", program: "rides")?.detour == .accept)
        }
    }

    @Test(arguments: StoreKind.all) func whatWasReadLatelyIsForgottenWithAStep(_ kind: StoreKind) async throws {
        try await MigrationHouse.with(kind) { house in
            try await house.card()
            _ = try await house.store.card(.rides("card_1"))
            #expect(house.store.recentCard(.rides("card_1")) != nil)
            try await house.open()
            #expect(house.store.recentCard(.rides("card_1")) == nil)
            #expect(try await house.serving() == "stripe_us")
            _ = try await house.store.take(.sample(.rollback), audit: .backend)
            #expect(house.store.recentCard(.rides("card_1")) == nil)
        }
    }
}

extension Sequence where Self: Sendable, Element: Sendable {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
