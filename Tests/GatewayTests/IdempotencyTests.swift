import Provisioning
import Storage
import Testing

@testable import Gateway

/// What an idempotency key promises for a provisioning, by how the first request ended.
@Suite struct IdempotencyTests {
    private func claim(_ fingerprint: UInt8 = 1, key: String = "key-1") -> IdempotencyClaim {
        IdempotencyClaim(
            key: IdempotencyKey(program: "rides", route: "POST /v1/cards/card-0001/provisionings", key: key),
            fingerprint: [UInt8](repeating: fingerprint, count: 32))
    }

    @Test("I01: another body under the same key is refused, and the first result stands")
    func refusesAnotherBody() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var command = try fixture.command()
        command.idempotency = claim()
        _ = try await fixture.provision(command)
        command.idempotency = claim(2)
        #expect(await fixture.problem(command)?.code == .idempotencyKeyReused)
        #expect(fixture.provider.requests.count == 1)
    }

    @Test func neverGivesASingleUseHandoffAgain() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var command = try fixture.command()
        command.idempotency = claim()
        let first = try await fixture.provision(command)
        let problem = await fixture.problem(command)
        #expect(problem?.code == .handoffAlreadyDelivered)
        #expect(problem?.provisioning == first.id)
    }

    @Test func anotherProcessKnowsAtOnceHowItEnded() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let store = try fixture.storeOfAnotherProcess()
        let other = try fixture.gatewayOfAnotherProcess(on: store)
        var command = try fixture.command()
        command.idempotency = claim()
        let result = try await fixture.reachHandoff(command)
        result.delivered(true)
        let problem = await fixture.problem(command, at: other)
        #expect(problem?.code == .handoffAlreadyDelivered)
        #expect(problem?.provisioning == result.record.id)
        await store.close()
    }

    @Test func runsARepeatableHandoffAgainWithTheUpstreamKeyOfTheFirstForFiveMinutes() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var command = fixture.googleCommand()
        command.idempotency = claim()
        let minute: Int64 = 60_000
        // Repeats do not lengthen the key's life: the fifth minute is counted from the first use.
        for wait in [0, 0, 4 * minute, minute, 1, minute] {
            fixture.clock.advance(milliseconds: wait)
            command.cardholder?.authenticatedAt = fixture.clock.now
            _ = try await fixture.provision(command)
        }
        let keys = fixture.provider.requests.map(\.idempotencyKey)
        #expect(keys == [keys[0], keys[0], keys[0], keys[0], keys[4], keys[4]])
        #expect(keys[0] != keys[4])
    }

    /// Nobody knows what the first one did: under its key the processor does it once.
    @Test func runsAgainAfterNoAnswerUnderTheUpstreamKeyOfTheFirstForFiveMinutes() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var command = fixture.googleCommand()
        command.idempotency = claim()
        let minute: Int64 = 60_000
        let silence = ProvisioningError(.providerTimeout, outcome: .unknown, retryAdvice: false)
        for wait in [0, minute, 4 * minute, 1] {
            fixture.clock.advance(milliseconds: wait)
            command.cardholder?.authenticatedAt = fixture.clock.now
            fixture.provider.fail(with: silence)
            #expect(await fixture.problem(command)?.retry == .sameRequest)
        }
        _ = try await fixture.provision(command)
        let keys = fixture.provider.requests.map(\.idempotencyKey)
        #expect(keys == [keys[0], keys[0], keys[0], keys[3], keys[3]])
        #expect(keys[0] != keys[3])
    }

    /// A processor repeats what it answered under a key, its failures too.
    @Test func runsAgainAfterAnAnswerUnderAnotherUpstreamKey() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var command = fixture.googleCommand()
        command.idempotency = claim()
        fixture.provider.fail(
            with: ProvisioningError(
                .providerUnavailable, outcome: .unknown, upstream: UpstreamReport(status: 500), retryAdvice: false))
        #expect(await fixture.problem(command)?.retry == .afterDelay)
        _ = try await fixture.provision(command)
        #expect(Set(fixture.provider.requests.map(\.idempotencyKey)).count == 2)
    }

    @Test func runsAgainAfterACrashUnderTheUpstreamKeyThatWasWrittenBefore() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let card = try #require(try await fixture.store.card(CardKey(program: "rides", id: "card-0001")))
        let record = StoredProvisioning(
            id: "prov_left", card: card.key, provider: "scripted", connection: "scripted_main",
            providerCardID: "card_abc", wallet: .googlePay, channel: .inApp, origin: .app,
            handoffType: .googlePayOpaqueCard, status: .sending, createdAt: fixture.clock.now,
            deadlineAt: fixture.clock.now, repairs: [], warnings: [], timeline: [], instance: "gone")
        var left = claim()
        left.upstreamKey = UpstreamKey(text: "prov_key", madeAt: fixture.clock.now)
        let reservation = Reservation(
            record: record, card: ServingCard(card, through: try #require(card.activeBinding?.card)),
            handshakeDigest: nil, handshakeExpiresAt: fixture.clock.now, idempotency: left)
        #expect(try await fixture.store.reserve(reservation) == .reserved)
        fixture.clock.advance(milliseconds: 5001)
        var command = fixture.googleCommand()
        command.idempotency = claim()
        _ = try await fixture.provision(command)
        #expect(fixture.provider.requests.map(\.idempotencyKey) == ["prov_key"])
    }

    @Test func theRetryClassSaysWhetherARequestRunsAgain() async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 1_000_000)
        try await fixture.registerCard()
        var classes: Set<RetryClass> = []
        for (number, code) in ProblemCode.allCases.enumerated() {
            for (index, outcome) in ProvisioningOutcome.allCases.enumerated() {
                for isApple in [true, false] {
                    let nonce = [1, 2, 3, 4, UInt8(number), UInt8(index)] as [UInt8]
                    var command = try isApple ? fixture.command(nonce: nonce) : fixture.googleCommand()
                    command.idempotency = claim(key: "\(code.rawValue) \(outcome.rawValue) \(isApple)")
                    let failure = ProvisioningError(code, outcome: outcome, retryAdvice: false)
                    fixture.provider.fail(with: failure)
                    let first = try #require(await fixture.problem(command))
                    let calls = fixture.provider.requests.count
                    let runsAgain = first.retry == .sameRequest || first.retry == .afterDelay
                    classes.insert(first.retry)
                    let second = await fixture.problem(command)
                    let place = "\(code.rawValue), \(outcome.rawValue), \(isApple ? "Apple" : "Google")"
                    if runsAgain, isApple, outcome != .notSent {
                        // It runs, and finds its handshake spent.
                        #expect(
                            second?.code == .handshakeReused && fixture.provider.requests.count == calls, "\(place)")
                    } else {
                        #expect(second == (runsAgain ? nil : first), "\(place)")
                        #expect(fixture.provider.requests.count == calls + (runsAgain ? 1 : 0), "\(place)")
                    }
                }
            }
        }
        #expect(classes == Set(RetryClass.allCases))
    }

    @Test func runsAgainAfterAFailureThatAWaitCanHeal() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var command = try fixture.command()
        command.idempotency = claim()
        fixture.provider.fail(with: ProvisioningError(.providerUnavailable, outcome: .notSent, retryAdvice: false))
        #expect(await fixture.problem(command)?.retry == .afterDelay)
        #expect(try await fixture.provision(command).status == .handedOff)
    }

    @Test func givesEveryOtherFailureAgainWordForWord() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var command = try fixture.command()
        command.idempotency = claim()
        fixture.provider.fail(
            with: ProvisioningError(
                .cardIneligible, outcome: .refused, reason: "missing_agreement",
                upstream: UpstreamReport(status: 400, code: "card_declined", requestID: "req_1")))
        let first = try #require(await fixture.problem(command))
        #expect(await fixture.problem(command) == first)
        #expect(first.reason == "missing_agreement")
        #expect(fixture.provider.requests.count == 1)
    }

    @Test func keepsTheFingerprintOfARequestThatACrashLeft() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let card = try #require(try await fixture.store.card(CardKey(program: "rides", id: "card-0001")))
        let record = StoredProvisioning(
            id: "prov_left", card: card.key, provider: "scripted", connection: "scripted_main",
            providerCardID: "card_abc", wallet: .applePay, channel: .inApp, origin: .app, handoffType: .applePayPass,
            status: .sending, createdAt: fixture.clock.now, deadlineAt: fixture.clock.now, repairs: [], warnings: [],
            timeline: [], instance: "gone")
        let left = Reservation(
            record: record, card: ServingCard(card, through: try #require(card.activeBinding?.card)),
            handshakeDigest: [1], handshakeExpiresAt: fixture.clock.now, idempotency: claim())
        #expect(try await fixture.store.reserve(left) == .reserved)
        var command = try fixture.command()
        command.idempotency = claim()
        #expect(await fixture.problem(command)?.code == .idempotencyKeyInUse)
        fixture.clock.advance(milliseconds: 5001)
        command.idempotency = claim(2)
        #expect(await fixture.problem(command)?.code == .idempotencyKeyReused)
        command.idempotency = claim()
        #expect(try await fixture.provision(command).status == .handedOff)
    }

    @Test func freesAKeyAfterADay() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var command = try fixture.command()
        command.idempotency = claim()
        _ = try await fixture.provision(command)
        fixture.clock.advance(milliseconds: Gateway.idempotencyLifetimeMilliseconds + 1)
        var next = try fixture.command(nonce: [5, 5, 5, 5, 5, 5])
        next.idempotency = claim(2)
        #expect(try await fixture.provision(next).status == .handedOff)
    }

    @Test func runsOneOfFiftyRequestsUnderOneKey() async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 1000)
        try await fixture.registerCard()
        var command = try fixture.command()
        command.idempotency = claim()
        let request = command
        let codes = await withTaskGroup(of: ProblemCode?.self) { group in
            for _ in 0..<50 { group.addTask { await fixture.problem(request)?.code } }
            return await group.reduce(into: [ProblemCode?]()) { $0.append($1) }
        }
        #expect(codes.filter { $0 == nil }.count == 1)
        #expect(codes.allSatisfy { [nil, .idempotencyKeyInUse, .handoffAlreadyDelivered].contains($0) })
        #expect(fixture.provider.requests.count == 1)
    }
}
