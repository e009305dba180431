import ProviderKit
import Provisioning
import Storage
import Testing

@testable import Gateway

@Suite("Migrations and what they cost")
struct MigrationTests {
    let fixture: SwitchFixture

    init() async throws {
        fixture = try SwitchFixture()
        try await fixture.register()
    }

    @Test func aReportCountsForAsLongAsItsMigrationDecides() async throws {
        let clock = fixture.base.clock
        func until(_ id: String) async throws -> Timestamp {
            try await fixture.gateway.report(ofMigration: id, program: "rides").countedUntil
        }
        for action in [MigrationStep.Action.rollback, .complete] {
            let id = try await fixture.open()
            clock.advance(milliseconds: 1000)
            #expect(try await until(id) == clock.now)
            let end = clock.now
            let migration = try await fixture.take(action, with: id)
            #expect(!migration.isInForce)
            clock.advance(milliseconds: 1000)
            #expect(try await until(id) == end)
        }
    }

    @Test func thePreflightSaysWhatItCosts() async throws {
        try await fixture.register("card-0002", isBound: false)
        try await fixture.register("card-0003", isBound: false)
        _ = try await fixture.gateway.eraseCard(
            CardKey(program: "rides", id: "card-0003"), actor: AuditActor(name: "test"))
        _ = try await fixture.base.provision(fixture.command())
        let opened = try await fixture.gateway.openMigration(fixture.draft(), actor: AuditActor(name: "test"))
        #expect(
            opened.preflight
                == Preflight(
                    cards: 2, withoutStandbyBinding: 1, walletsLost: [.googlePay], channelsLost: [],
                    handoffsChanged: [
                        Preflight.HandoffChange(
                            wallet: .applePay, channel: .inApp, from: .applePayPass, to: .stripeEphemeralKey)
                    ],
                    connections: [
                        Preflight.ConnectionReport(
                            connection: "scripted_main", provider: "scripted", health: .ok,
                            credentials: .notKnown),
                        Preflight.ConnectionReport(
                            connection: "next_main", provider: "next", health: .unknown, credentials: .notKnown),
                    ]))
    }

    @Test func whatStrandsSomebodyIsNotOpenedUnlessThatIsAllowed() async throws {
        try await fixture.register("card-0002", isBound: false)
        let problem = await fixture.problem(fixture.draft(allowsStranded: false))
        #expect(problem?.code == .migrationWouldStrandCards)
        #expect(problem?.errors.map(\.code) == ["without_standby_binding", "wallet_lost", "handoff_changed"])
        #expect(problem?.errors.first?.detail.contains("1 of the 2 cards") == true)
        let page = try await fixture.gateway.migrations(MigrationQuery(program: "rides", page: PageRequest()))
        #expect(page.elements.isEmpty)
        #expect(await fixture.problem(fixture.draft(mode: .shadow, allowsStranded: false)) == nil)
    }

    @Test func ofAListOnlyItsCardsCount() async throws {
        try await fixture.register("card-0002", isBound: false)
        let draft = fixture.draft(mode: .shadow, cohort: .cards(["card-0001", "unknown"]), allowsStranded: false)
        let opened = try await fixture.gateway.openMigration(draft, actor: AuditActor(name: "test"))
        #expect(opened.preflight.cards == 1 && opened.preflight.withoutStandbyBinding == 0)
        #expect(opened.migration.cohort == .cards(count: 2))
    }

    @Test func onlyTwoOfTheProgramsConnectionsCanBeSides() async throws {
        var draft = fixture.draft()
        draft.to = "scripted_main"
        #expect(await fixture.problem(draft)?.errors.map(\.pointer) == ["/to"])
        draft.to = "elsewhere"
        #expect(await fixture.problem(draft)?.errors.map(\.pointer) == ["/to"])
        draft = fixture.draft()
        draft.from = "elsewhere"
        #expect(await fixture.problem(draft)?.errors.map(\.pointer) == ["/from"])
    }

    @Test func oneOfAProgramIsInForce() async throws {
        let id = try await fixture.open()
        let problem = await fixture.problem(fixture.draft())
        #expect(problem?.code == .migrationConflict && problem?.detail?.contains(id) == true)
    }

    @Test func aStepThatIsNotPossibleSaysWhy() async throws {
        let id = try await fixture.open(percent: 50)
        #expect(await fixture.problem(.resume, with: id)?.code == .migrationConflict)
        #expect(await fixture.problem(.complete, with: id)?.code == .migrationConflict)
        let shrinking = await fixture.problem(.advance(.percent(basisPoints: 4999)), with: id)
        #expect(shrinking?.code == .invalidRequest && shrinking?.errors.map(\.pointer) == ["/cohort/percent"])
        let listed = await fixture.problem(.advance(.cards(["card-0001"])), with: id)
        #expect(listed?.errors.map(\.pointer) == ["/cohort/cards"])
        try await fixture.take(.pause, with: id)
        let paused = await fixture.problem(.advance(.percent(basisPoints: 10_000)), with: id)
        #expect(paused?.code == .migrationConflict && paused?.detail?.contains("paused") == true)
        #expect(await fixture.problem(.pause, with: "mig_unknown")?.code == .migrationNotFound)
        try await fixture.take(.rollback, with: id)
        #expect(await fixture.problem(.rollback, with: id)?.code == .migrationConflict)
    }

    @Test func aCompletionIsSettledWhenItIsAnswered() async throws {
        let id = try await fixture.open()
        let done = try await fixture.take(.complete, with: id)
        #expect(done.status == .completed && done.settledAt != nil && done.endedAt != nil)
        let card = try await fixture.gateway.card(SwitchFixture.card)
        #expect(card.bindings.map(\.state) == [.retired, .active])
        #expect(try await fixture.base.provision(fixture.command()).connection == "next_main")
        #expect(await fixture.problem(.rollback, with: id)?.code == .migrationConflict)
    }

    @Test func nobodyIsLeftBehindUnlessThatWasAllowed() async throws {
        let same = NextProvider()
        let base = try GatewayFixture(
            attemptsPerMinute: 1000,
            others: [
                Connection(
                    name: "scripted_next", environment: .test, descriptor: ScriptedProvider.descriptor,
                    provider: ScriptedProvider()), same.connection,
            ])
        try await base.registerCard()
        let actor = AuditActor(name: "test")
        _ = try await base.gateway.putBinding(
            CardBinding(connection: "scripted_next", providerCardID: "card_next", last4: "1881", network: .visa),
            of: CardKeyFixture.card, state: .standby, actor: actor)
        let opened = try await base.gateway.openMigration(
            MigrationDraft(
                program: "rides", from: "scripted_main", to: "scripted_next", mode: .live,
                cohort: .percent(basisPoints: 10_000), guard: nil, allowsStranded: false), actor: actor)
        #expect(!opened.preflight.strandsAnyone)
        try await base.registerCard("card-0002", providerCardID: "card_2")
        do throws(Problem) {
            _ = try await base.gateway.take(.complete, with: opened.migration.id, program: "rides", actor: actor)
            Issue.record("it was completed")
        } catch {
            #expect(error.code == .migrationWouldStrandCards)
        }
        _ = try await base.gateway.eraseCard(CardKey(program: "rides", id: "card-0002"), actor: actor)
        let done = try await base.gateway.take(.complete, with: opened.migration.id, program: "rides", actor: actor)
        #expect(done.status == .completed)
    }
}
