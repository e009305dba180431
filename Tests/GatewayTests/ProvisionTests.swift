import Foundation
import Provisioning
import SecretMemory
import Storage
import Testing

@testable import Gateway

/// The provisioning path over a real store.
@Suite struct ProvisionTests {
    @Test func handsOverAPassAndKeepsNothingOfIt() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let record = try await fixture.provision(fixture.command())
        #expect(record.status == .handedOff)
        #expect(record.handoffType == .applePayPass)
        #expect(
            record.handoffBytes == "activation-canary".utf8.count + "pass-canary".utf8.count + "key-canary".utf8.count
                + 3)
        #expect(record.handoffDigest?.count == 32)
        #expect(record.timeline.map(\.step) == ["received", "checked", "reserved", "sent", "answered", "handed_off"])
        #expect(!String(reflecting: record).contains("canary"))
        #expect(fixture.provider.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func showsNoReaderAnAttemptWhoseAnswerIsBeingWritten() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        for card in ["card-0001", nil] {
            let gateway = fixture.gateway
            let result = try await fixture.reachHandoff(fixture.command(nonce: Array(UUID().uuidString.utf8)))
            let query = ProvisioningQuery(program: "rides", card: card, page: PageRequest(limit: 1))
            let list = Task { try await gateway.provisionings(query).elements }
            let read = Task { try await gateway.provisioning(result.record.id, program: "rides") }
            let other = ProvisioningQuery(program: "rides", card: "card-0002", page: PageRequest())
            #expect(try await gateway.provisionings(other).elements.isEmpty, "who asks for another card goes on")
            while gateway.traffic.deliveries.waiters < 2 { await Task.yield() }
            result.delivered(true)
            #expect(try await list.value.map(\.status) == [.handedOff])
            #expect(try await read.value.status == .handedOff)
        }
    }

    @Test func recordsAnAnswerThatNobodyTook() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        #expect(try await fixture.provision(fixture.command(), written: false).status == .undelivered)
    }

    @Test func spendsANonceOnceOverAllCardsOfTheProgram() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        try await fixture.registerCard("card-0002", providerCardID: "card_def")
        _ = try await fixture.provision(fixture.command())
        for card in ["card-0001", "card-0002"] {
            let problem = await fixture.problem(try fixture.command(card: card))
            #expect(problem?.code == .handshakeReused)
            #expect(problem?.outcome == .notSent)
            #expect(problem?.retry == .freshHandshake)
        }
        #expect(fixture.provider.requests.count == 1)
    }

    @Test func spendsANonceOnceThoughTheRootSecretIsReplaced() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        _ = try await fixture.provision(fixture.command())
        let gateway = try fixture.withAnotherRootSecret()
        let command = try fixture.command()
        let problem = await #expect(throws: Problem.self) { _ = try await gateway.provision(command) }
        #expect(problem?.code == .handshakeReused)
        #expect(fixture.provider.requests.count == 1)
    }

    @Test func givesANonceBackOnlyWhereNothingWasSent() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let unreachable = ProvisioningError(.providerUnavailable, outcome: .notSent, retryAdvice: false)
        fixture.provider.fail(with: unreachable)
        let refused = await fixture.problem(try fixture.command())
        #expect(refused?.code == .providerUnavailable)
        #expect(refused?.outcome == .notSent)
        #expect(refused?.retry == .afterDelay)
        fixture.provider.fail(with: ProvisioningError(.providerTimeout, outcome: .unknown))
        let unknown = await fixture.problem(try fixture.command())
        #expect(unknown?.code == .providerTimeout)
        #expect(unknown?.retry == .checkWalletFirst)
        #expect(await fixture.problem(try fixture.command())?.code == .handshakeReused)
    }

    @Test func sendsASingleUseHandshakeOnceWhateverHappens() async throws {
        for failure in [ProblemCode.providerUnavailable, .providerTimeout, .providerRateLimited] {
            let fixture = try GatewayFixture()
            try await fixture.registerCard()
            fixture.provider.fail(with: ProvisioningError(failure, outcome: .unknown, retryAdvice: true))
            #expect(await fixture.problem(try fixture.command())?.code == failure)
            #expect(fixture.provider.requests.count == 1)
        }
    }

    @Test func sendsARepeatableCallOnceMoreWithTheSameKey() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let failure = ProvisioningError(.providerUnavailable, outcome: .unknown)
        fixture.provider.fail(with: failure, failure, failure)
        #expect(await fixture.problem(fixture.googleCommand())?.code == .providerUnavailable)
        #expect(fixture.provider.requests.count == 2)
        #expect(Set(fixture.provider.requests.map(\.idempotencyKey)).count == 1)
    }

    @Test func takesTheProcessorsAdviceOnARepeat() async throws {
        let table: [(ProblemCode, Bool?, Int)] = [
            (.providerRejected, nil, 1), (.providerRejected, true, 2), (.providerUnavailable, true, 2),
            (.providerUnavailable, false, 1),
        ]
        for (code, advice, count) in table {
            let fixture = try GatewayFixture()
            try await fixture.registerCard()
            let failure = ProvisioningError(code, outcome: .refused, retryAdvice: advice)
            fixture.provider.fail(with: failure, failure, failure)
            #expect(await fixture.problem(fixture.googleCommand())?.code == code)
            #expect(fixture.provider.requests.count == count, "\(code), advice \(String(describing: advice))")
        }
    }

    @Test func triesAgainWhatWasNotSent() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        fixture.provider.fail(with: ProvisioningError(.providerUnavailable, outcome: .notSent))
        let record = try await fixture.provision(fixture.command())
        #expect(record.status == .handedOff)
        #expect(record.attempts == 2)
    }

    @Test(
        arguments: [
            (.unknown, .notSent, .unknown), (.unknown, .refused, .unknown), (.unknown, .applied, .applied),
            (.refused, .notSent, .refused), (.refused, .unknown, .unknown), (.refused, .applied, .applied),
            (.notSent, .refused, .refused), (.notSent, .unknown, .unknown),
        ] as [(ProvisioningOutcome, ProvisioningOutcome, ProvisioningOutcome)])
    func tellsOfTwoCallsWhatSaysMore(
        _ first: ProvisioningOutcome, _ second: ProvisioningOutcome, _ told: ProvisioningOutcome
    ) async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let failures = [first, second].map { outcome in
            ProvisioningError(
                outcome == .applied ? .alreadyProvisioned : .providerUnavailable, outcome: outcome,
                retryAdvice: outcome == .applied || outcome == .notSent ? nil : true)
        }
        fixture.provider.fail(with: failures[0], failures[1], failures[1])
        let problem = await fixture.problem(fixture.googleCommand())
        #expect(problem?.outcome == told)
        #expect(problem?.retry == (told == .applied ? .treatAsSuccess : .afterDelay))
        let record = try await fixture.gateway.provisioning(try #require(problem?.provisioning), program: "rides")
        #expect(record.sentAt != nil, "one of the calls was sent")
    }

    @Test func keepsTheStatusThatTheOutcomeDemands() async throws {
        let table: [(ProvisioningOutcome, ProvisioningStatus)] = [
            (.notSent, .refused), (.refused, .refused), (.applied, .refused), (.unknown, .unknown),
        ]
        for (outcome, status) in table {
            let fixture = try GatewayFixture()
            try await fixture.registerCard()
            fixture.provider.fail(with: ProvisioningError(.providerRejected, outcome: outcome))
            let problem = await fixture.problem(try fixture.command())
            let id = try #require(problem?.provisioning)
            #expect(try await fixture.gateway.provisioning(id, program: "rides").status == status)
        }
    }

    @Test func takesAForeignCardholderForAnUnknownCard() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var foreign = try fixture.command()
        foreign.cardholder = .init(id: "holder-2", authenticatedAt: fixture.clock.now)
        let unknown = try fixture.command(card: "card-9999")
        #expect(await fixture.problem(foreign) == fixture.problem(unknown))
        #expect(await fixture.problem(unknown)?.code == .cardNotFound)
    }

    @Test func demandsTheCardholderAndAFreshAuthentication() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var command = try fixture.command()
        command.cardholder = nil
        #expect(await fixture.problem(command)?.errors.first?.pointer == "/cardholder/id")
        command.cardholder = .init(id: "holder-1", authenticatedAt: nil)
        #expect(await fixture.problem(command)?.code == .authenticationRequired)
        command.cardholder = .init(id: "holder-1", authenticatedAt: fixture.clock.now.adding(milliseconds: -300_001))
        #expect(await fixture.problem(command)?.code == .authenticationRequired)
        command.cardholder = .init(id: "holder-1", authenticatedAt: fixture.clock.now.adding(milliseconds: 120_000))
        #expect(await fixture.problem(command)?.code == .authenticationRequired)
        command.cardholder = .init(id: "holder-1", authenticatedAt: fixture.clock.now.adding(milliseconds: -300_000))
        #expect(await fixture.problem(command) == nil)
    }

    @Test func refusesLocallyWithoutARecordOrACall() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        var wallet = fixture.googleCommand()
        wallet.wallet = .samsungPay
        #expect(await fixture.problem(wallet)?.code == .walletUnsupported)
        var channel = try fixture.command()
        channel.channel = .web
        #expect(await fixture.problem(channel)?.code == .channelUnsupported)
        var accept = try fixture.command()
        accept.accept = [.stripeEphemeralKey]
        #expect(await fixture.problem(accept)?.code == .handoffUnsupportedByApp)
        var plan = try fixture.command()
        plan.plan = "altered"
        #expect(await fixture.problem(plan)?.errors.first?.pointer == "/plan")
        var handshake = try fixture.command()
        handshake.applePay = nil
        #expect(await fixture.problem(handshake)?.errors.first?.pointer == "/apple_pay")
        let page = try await fixture.gateway.provisionings(ProvisioningQuery(program: "rides", page: PageRequest()))
        #expect(page.elements.isEmpty)
        #expect(fixture.provider.requests.isEmpty)
    }

    @Test func limitsACardsAttempts() async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 2)
        try await fixture.registerCard()
        for nonce in 1...2 { _ = try await fixture.provision(fixture.command(nonce: [UInt8(nonce), 0, 0, 0, 0, 0])) }
        let problem = await fixture.problem(try fixture.command(nonce: [3, 0, 0, 0, 0, 0]))
        #expect(problem?.code == .rateLimited)
        #expect((1...61).contains(try #require(problem?.retryAfter)))
    }

    @Test func pinsAPlanToItsCardAndExpiresIt() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        try await fixture.registerCard("card-0002", providerCardID: "card_def")
        let wallets = try await fixture.gateway.wallets(
            of: CardKey(program: "rides", id: "card-0001"), accept: nil, wallet: .applePay)
        let plan = try #require(wallets.first?.plan)
        var other = try fixture.command(card: "card-0002")
        other.plan = plan
        #expect(await fixture.problem(other)?.errors.first?.pointer == "/plan")
        var own = try fixture.command()
        own.plan = plan
        #expect(await fixture.problem(own) == nil)
        fixture.clock.advance(milliseconds: Plan.lifetimeMilliseconds + 1)
        var late = try fixture.command(nonce: [7, 7, 7, 7, 7, 7])
        late.plan = plan
        #expect(await fixture.problem(late)?.code == .planExpired)
    }

    @Test func sendsOneOfAHundredRequestsWithOneNonce() async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 1000)
        try await fixture.registerCard()
        let command = try fixture.command()
        let codes = await withTaskGroup(of: ProblemCode?.self) { group in
            for _ in 0..<100 { group.addTask { await fixture.problem(command)?.code } }
            return await group.reduce(into: [ProblemCode?]()) { $0.append($1) }
        }
        #expect(codes.filter { $0 == nil }.count == 1)
        #expect(codes.filter { $0 == .handshakeReused }.count == 99)
        #expect(fixture.provider.requests.count == 1)
    }

    @Test func callersThatLeaveDoNotOpenTheBreaker() async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 1000)
        try await fixture.registerCard()
        let timeout = ProvisioningError(.providerTimeout, outcome: .notSent, retryAdvice: false)
        for nonce in 0..<25 {
            fixture.provider.fail(with: timeout)
            var command = try fixture.command(nonce: [UInt8(nonce), 1, 1, 1, 1, 1])
            command.deadlineMilliseconds = 10_000
            #expect(await fixture.problem(command)?.code == .providerTimeout)
        }
        #expect(try await fixture.provision(fixture.command(nonce: [9, 9, 9, 9, 9, 9])).status == .handedOff)
        let outcomes = fixture.gateway.metrics.snapshot.attempts.map { ($0.key.outcome, $0.value) }.sorted {
            $0.0 < $1.0
        }
        #expect(outcomes.map(\.0) == ["caller_left", "handed_off"] && outcomes.map(\.1) == [25, 1])
    }

    @Test func leavesAFailingProcessorAloneAndSpendsNothingMeanwhile() async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 1000)
        try await fixture.registerCard()
        let failure = ProvisioningError(.providerUnavailable, outcome: .unknown)
        for nonce in 0..<20 {
            fixture.provider.fail(with: failure)
            _ = await fixture.problem(try fixture.command(nonce: [UInt8(nonce), 2, 2, 2, 2, 2]))
        }
        let calls = fixture.provider.requests.count
        let problem = await fixture.problem(try fixture.command(nonce: [8, 8, 8, 8, 8, 8]))
        #expect(problem?.code == .providerUnavailable)
        #expect(problem?.outcome == .notSent)
        #expect(problem?.retry == .afterDelay)
        #expect(problem?.provisioning == nil)
        #expect(fixture.provider.requests.count == calls)
    }

    @Test func holdsAProcessorToAccountForTimeoutsAfterSendingHoweverShortTheDeadline() async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 1000)
        try await fixture.registerCard()
        let timeout = ProvisioningError(.providerTimeout, outcome: .unknown)
        for nonce in 0..<20 {
            fixture.provider.fail(with: timeout)
            var command = try fixture.command(nonce: [UInt8(nonce), 3, 3, 3, 3, 3])
            command.deadlineMilliseconds = 10_000
            #expect(await fixture.problem(command)?.code == .providerTimeout)
        }
        let problem = await fixture.problem(try fixture.command(nonce: [7, 7, 7, 7, 7, 7]))
        #expect(problem?.code == .providerUnavailable && problem?.outcome == .notSent)
    }

    @Test(.timeLimit(.minutes(1)))
    func asksAFailingProcessorAgainThoughTheFirstProbeWasRefusedHere() async throws {
        let fixture = try GatewayFixture(attemptsPerMinute: 1_000_000)
        try await fixture.registerCard()
        let failure = ProvisioningError(.providerUnavailable, outcome: .unknown)
        for nonce in 0..<20 {
            fixture.provider.fail(with: failure)
            _ = await fixture.problem(try fixture.command(nonce: [UInt8(nonce), 4, 4, 4, 4, 4]))
        }
        // Its nonce is spent, so it is refused only once the breaker has let it by.
        let spent = try fixture.command(nonce: [0, 4, 4, 4, 4, 4])
        var code = await fixture.problem(spent)?.code
        while code == .providerUnavailable { code = await fixture.problem(spent)?.code }
        #expect(code == .handshakeReused)
        #expect(try await fixture.provision(fixture.command(nonce: [9, 4, 4, 4, 4, 9])).status == .handedOff)
    }

    @Test("H20: an account identifier is the processor's own each time, and an empty one is none")
    func handsTheAccountIdentifierOnAsItIsNow() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let steps: [(given: String?, told: String?)] = [
            (nil, nil), ("V-1", "V-1"), ("", nil), ("V-2", "V-2"), (nil, nil),
        ]
        for step in steps {
            fixture.provider.answerEligibility(
                .success(Eligibility(eligible: true, primaryAccountIdentifier: step.given)))
            let answer = try await fixture.gateway.wallets(
                of: CardKey(program: "rides", id: "card-0001"), accept: nil, wallet: .applePay
            ).first
            #expect(answer?.eligibility.primaryAccountIdentifier == step.told)
            #expect(answer?.applePayConfiguration?.primaryAccountIdentifier == step.told)
        }
    }

    @Test func saysThatEligibilityIsUnknownWhereTheConnectionIsFull() async throws {
        let fixture = try GatewayFixture(inFlight: 0)
        try await fixture.registerCard()
        let answers = try await fixture.gateway.wallets(
            of: CardKey(program: "rides", id: "card-0001"), accept: nil, wallet: .applePay)
        #expect(answers.first?.eligibility.eligible == nil)
        #expect(answers.first?.eligibility.reason == "overloaded")
    }
}
