import Provisioning
import Storage
import Testing

@testable import Gateway

@Suite("Attempts go by the migration in force")
struct RoutedAttemptTests {
    let fixture: SwitchFixture

    init() async throws {
        fixture = try SwitchFixture()
        try await fixture.register()
    }

    private func provision(_ command: ProvisionCommand) async throws -> StoredProvisioning {
        try await fixture.base.provision(command)
    }

    @Test func eachStepMovesTheNextAttempt() async throws {
        #expect(try await provision(fixture.command(1)).connection == "scripted_main")
        let id = try await fixture.open(percent: 0)
        #expect(try await provision(fixture.command(2)).connection == "scripted_main")
        try await fixture.take(.advance(.percent(basisPoints: 10_000)), with: id)
        let moved = try await provision(fixture.command(3))
        #expect(moved.connection == "next_main" && moved.providerCardID == "ic_0001")
        #expect(moved.provider == "next" && moved.handoffType == .stripeEphemeralKey)
        #expect(moved.migration == id && moved.detour == nil)
        try await fixture.take(.pause, with: id)
        #expect(try await provision(fixture.command(4)).connection == "next_main")
        try await fixture.take(.rollback, with: id)
        #expect(try await provision(fixture.command(5)).connection == "scripted_main")
        #expect(fixture.next.requests.count == 2)
    }

    /// A side that is down must not look idle.
    @Test func whomABreakerTurnsAwayIsCountedForTheSide() async throws {
        let id = try await fixture.open()
        for number in 1...20 {
            let failure = ProvisioningError(.providerUnavailable, outcome: .unknown, retryAdvice: false)
            fixture.next.fail(with: failure)
            #expect(await fixture.base.problem(try fixture.command(number)) != nil)
        }
        for number in 21...23 {
            let problem = await fixture.base.problem(try fixture.command(number))
            #expect(problem?.code == .providerUnavailable && problem?.outcome == .notSent)
        }
        let calls = fixture.next.requests.count
        await fixture.gateway.keepCounts()
        let report = try await fixture.gateway.report(ofMigration: id, program: "rides")
        #expect(report.to.figures.leftAlone == 23 - calls && report.to.figures.tally.attempts == calls)
        #expect(report.from.figures.leftAlone == 0)
        let refusal = MetricsSnapshot.Refusal(connection: "next_main", reason: "breaker_open")
        #expect(fixture.gateway.metrics.snapshot.refusals == [refusal: 23 - calls])
    }

    @Test func aSideThatLeftTheConfigurationIsNamed() async throws {
        let id = try await fixture.open()
        let store = try fixture.base.storeOfAnotherProcess()
        let other = try fixture.base.gatewayOfAnotherProcess(on: store, without: "next_main")
        let problem = await fixture.base.problem(try fixture.command(), at: other)
        #expect(problem?.code == .bindingMissing && problem?.outcome == .notSent)
        #expect(problem?.detail?.contains("`next_main`") == true)
        let asked = await #expect(throws: Problem.self) {
            try await other.wallets(of: SwitchFixture.card, accept: nil, wallet: nil)
        }
        #expect(asked?.code == .bindingMissing && asked?.detail == problem?.detail)
        let report = try await other.report(ofMigration: id, program: "rides")
        #expect(report.to.provider == nil && report.from.provider == "scripted")
        await store.close()
        try await fixture.take(.rollback, with: id)
        #expect(try await provision(fixture.command(2)).connection == "scripted_main")
    }

    @Test func aShadowSpendsNothingAtTo() async throws {
        try await fixture.open(mode: .shadow)
        let attempt = try await provision(fixture.command())
        #expect(attempt.connection == "scripted_main")
        #expect(fixture.next.requests.isEmpty)
    }

    @Test func aCardWithoutABindingAtToStays() async throws {
        try await fixture.register("card-0002", isBound: false)
        try await fixture.open()
        var command = try fixture.base.command(nonce: Array("nonce-2".utf8), card: "card-0002")
        #expect(try await provision(command).connection == "scripted_main")
        command = try fixture.command(3)
        #expect(try await provision(command).connection == "next_main")
    }

    /// The other instance planned with what it had read before, and is put right by the reservation.
    @Test func anotherInstanceGoesByAStepAtOnce() async throws {
        let store = try fixture.base.storeOfAnotherProcess()
        let other = try fixture.base.gatewayOfAnotherProcess(on: store)
        let id = try await fixture.open(percent: 0)
        func attempt(_ number: Int) async throws -> String? {
            let before = try await newest()
            #expect(await fixture.base.problem(try fixture.command(number), at: other) == nil)
            let after = try await newest()
            #expect(before?.id != after?.id)
            return after?.connection
        }
        #expect(try await attempt(1) == "scripted_main")
        try await fixture.take(.advance(.percent(basisPoints: 10_000)), with: id)
        #expect(store.recentCard(SwitchFixture.card)?.servingBinding?.card.connection == "scripted_main")
        #expect(try await attempt(2) == "next_main")
        try await fixture.take(.rollback, with: id)
        #expect(store.recentCard(SwitchFixture.card)?.servingBinding?.card.connection == "next_main")
        #expect(try await attempt(3) == "scripted_main")
        await store.close()
    }

    private func newest() async throws -> StoredProvisioning? {
        let query = ProvisioningQuery(program: "rides", page: PageRequest(limit: 1))
        return try await fixture.base.store.provisionings(query).elements.first
    }

    // MARK: accept

    @Test func anAppThatCannotDoWithToIsServedByFrom() async throws {
        let id = try await fixture.open()
        let attempt = try await provision(fixture.command(accept: [.applePayPass, .d1Authorization]))
        #expect(attempt.connection == "scripted_main" && attempt.detour == .accept && attempt.migration == id)
        #expect(attempt.timeline.contains { $0.step == "rerouted" && $0.code == "accept" })
        let both = try await provision(fixture.command(2, accept: [.applePayPass, .stripeEphemeralKey]))
        #expect(both.connection == "next_main" && both.detour == nil)
        let count = try await fixture.base.store.appCannot(in: id, program: "rides")
        #expect(count == AppCannotCount(served: 1, refused: 0))
    }

    @Test func anAppThatCannotDoWithFromIsServedByToAheadOfItsCohort() async throws {
        let id = try await fixture.open(percent: 0)
        let attempt = try await provision(fixture.command(accept: [.stripeEphemeralKey]))
        #expect(attempt.connection == "next_main" && attempt.detour == .accept)
        try await fixture.take(.rollback, with: id)
        let problem = await fixture.base.problem(try fixture.command(2, accept: [.stripeEphemeralKey]))
        #expect(problem?.code == .handoffUnsupportedByApp)
    }

    @Test func anAppThatCanDoWithNeitherIsRefusedAndCounted() async throws {
        let id = try await fixture.open()
        for number in 0..<3 {
            let problem = await fixture.base.problem(try fixture.command(number, accept: [.d1Authorization]))
            #expect(problem?.code == .handoffUnsupportedByApp && problem?.outcome == .notSent)
        }
        let count = try await fixture.base.store.appCannot(in: id, program: "rides")
        #expect(count == AppCannotCount(served: 0, refused: 3))
        #expect(try await newest() == nil)
    }

    @Test func aShadowHasNoOtherSideToServe() async throws {
        let id = try await fixture.open(mode: .shadow)
        let problem = await fixture.base.problem(try fixture.command(accept: [.stripeEphemeralKey]))
        #expect(problem?.code == .handoffUnsupportedByApp)
        let count = try await fixture.base.store.appCannot(in: id, program: "rides")
        #expect(count == AppCannotCount(served: 0, refused: 0))
    }

    // MARK: plans

    @Test func aPlanPinsItsSideOverAnAdvance() async throws {
        let first = try #require(try await fixture.plan())
        let id = try await fixture.open(percent: 0)
        let second = try #require(try await fixture.plan())
        try await fixture.take(.advance(.percent(basisPoints: 10_000)), with: id)
        for (number, plan) in [first, second].enumerated() {
            let attempt = try await provision(fixture.command(number, plan: plan))
            #expect(attempt.connection == "scripted_main" && attempt.detour == .plan)
        }
        #expect(try await provision(fixture.command(3)).connection == "next_main")
    }

    @Test func aRollbackEndsAPlanBeforeAHandshakeIsSpent() async throws {
        let id = try await fixture.open()
        let plan = try #require(try await fixture.plan())
        #expect(try await provision(fixture.command(1, plan: plan)).connection == "next_main")
        try await fixture.take(.rollback, with: id)
        let problem = await fixture.base.problem(try fixture.command(2, plan: plan))
        #expect(problem?.code == .planExpired && problem?.outcome == .notSent)
        // Its handshake is as good as before.
        #expect(try await provision(fixture.command(2)).connection == "scripted_main")
        // Another migration gives the plan no new life.
        try await fixture.open(percent: 0)
        #expect(await fixture.base.problem(try fixture.command(3, plan: plan))?.code == .planExpired)
    }

    @Test func aCompletionEndsThePlansOfFrom() async throws {
        let id = try await fixture.open(percent: 0)
        let from = try #require(try await fixture.plan())
        try await fixture.take(.advance(.percent(basisPoints: 10_000)), with: id)
        let to = try #require(try await fixture.plan())
        try await fixture.take(.complete, with: id)
        #expect(await fixture.base.problem(try fixture.command(1, plan: from))?.code == .planExpired)
        #expect(try await provision(fixture.command(1, plan: to)).connection == "next_main")
    }

    @Test func aPlanForAnAppThatCannotDoWithToIsCountedWhenItIsUsed() async throws {
        let id = try await fixture.open()
        let plan = try #require(try await fixture.plan(accept: [.applePayPass]))
        let attempt = try await provision(fixture.command(accept: [.applePayPass], plan: plan))
        #expect(attempt.connection == "scripted_main" && attempt.detour == .accept)
        let count = try await fixture.base.store.appCannot(in: id, program: "rides")
        #expect(count == AppCannotCount(served: 1, refused: 0))
    }
}
