import Provisioning
import Storage
import Testing

@testable import Gateway

/// An attempt is planned with the card as it was read lately; what another process has changed since is seen all the same.
@Suite struct RecentCardTests {
    private func change(_ store: SQLiteStore, _ edit: (inout CardDraft) -> Void, at now: Timestamp) async throws {
        var draft = CardDraft(
            key: CardKeyFixture.card, binding: nil, cardholderID: nil, cardholderName: nil, title: nil, artURL: nil,
            metadata: nil, at: now)
        edit(&draft)
        _ = try await store.putCard(draft, audit: AuditActor(name: "other"))
    }

    @Test func theFirstAttemptLeavesTheCardAtHand() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        #expect(fixture.store.recentCard(CardKeyFixture.card) == nil)
        _ = try await fixture.provision(fixture.command())
        #expect(fixture.store.recentCard(CardKeyFixture.card)?.cardholderID == "holder-1")
    }

    @Test func anotherNameReachesTheProcessor() async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 2)
        try await fixture.registerCard()
        _ = try await fixture.provision(fixture.command())
        let other = try fixture.storeOfAnotherProcess()
        try await change(other, { $0.cardholderName = "Bea Example" }, at: fixture.clock.now)
        // It is the second attempt of two that the card may have, though it was planned twice.
        _ = try await fixture.provision(fixture.command(nonce: [7, 7, 7, 7, 7, 7, 7]))
        #expect(fixture.provider.requests.map(\.cardholderName) == ["Ada Example", "Bea Example"])
        await other.close()
    }

    @Test func anotherCardholderIsNotFoundAndTheNewOneIsServed() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        _ = try await fixture.provision(fixture.command())
        let other = try fixture.storeOfAnotherProcess()
        try await change(other, { $0.cardholderID = "holder-2" }, at: fixture.clock.now)
        #expect(await fixture.problem(try fixture.command(nonce: [7, 7, 7, 7, 7, 7, 7]))?.code == .cardNotFound)
        var command = try fixture.command(nonce: [8, 8, 8, 8, 8, 8, 8])
        command.cardholder?.id = "holder-2"
        #expect(try await fixture.provision(command).status == .handedOff)
        await other.close()
    }

    @Test func whatAnotherProcessErasedIsGone() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        _ = try await fixture.provision(fixture.command())
        let other = try fixture.storeOfAnotherProcess()
        #expect(try await other.eraseCard(CardKeyFixture.card, audit: AuditActor(name: "other")))
        let problem = await fixture.problem(try fixture.command(nonce: [7, 7, 7, 7, 7, 7, 7]))
        #expect(problem?.code == .cardNotFound)
        #expect(fixture.provider.requests.count == 1)
        #expect(fixture.store.recentCard(CardKeyFixture.card) == nil)
        await other.close()
    }

    @Test(arguments: [0, 256])
    func noLimitRefusesACardThatIsGone(inFlight: Int) async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 1, inFlight: inFlight)
        try await fixture.registerCard()
        let first = await fixture.problem(try fixture.command())
        #expect(first?.code == (inFlight == 0 ? .overloaded : nil))
        #expect(fixture.store.recentCard(CardKeyFixture.card) != nil)
        let nonce: [UInt8] = [7, 7, 7, 7, 7, 7, 7]
        #expect(await fixture.problem(try fixture.command(nonce: nonce))?.code == .rateLimited)
        let other = try fixture.storeOfAnotherProcess()
        #expect(try await other.eraseCard(CardKeyFixture.card, audit: AuditActor(name: "other")))
        #expect(await fixture.problem(try fixture.command(nonce: nonce))?.code == .cardNotFound)
        await other.close()
    }

    @Test func aFullConnectionRefusesNoCardThatHasLeftIt() async throws {
        let fixture = try GatewayFixture(inFlight: 0)
        try await fixture.registerCard()
        #expect(await fixture.problem(try fixture.command())?.code == .overloaded)
        let other = try fixture.storeOfAnotherProcess()
        #expect(try await other.eraseCard(CardKeyFixture.card, audit: AuditActor(name: "other")))
        #expect(await fixture.problem(try fixture.command())?.code == .cardNotFound)
        await other.close()
    }

    @Test func whatIsErasedHereIsForgottenAtOnce() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        _ = try await fixture.provision(fixture.command())
        #expect(try await fixture.store.eraseCard(CardKeyFixture.card, audit: AuditActor(name: "test")))
        #expect(fixture.store.recentCard(CardKeyFixture.card) == nil)
    }
}
