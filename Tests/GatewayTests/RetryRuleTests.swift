import Provisioning
import Storage
import Synchronization
import Testing

@testable import Gateway

/// Retry by meaning: which failures are tried again, how often and when.
@Suite struct RetryRuleTests {
    private static let transient: [ProblemCode] = [.providerUnavailable, .providerTimeout, .providerRateLimited]

    private func pause(
        _ code: ProblemCode, _ outcome: ProvisioningOutcome, repeatable: Bool, advice: Bool? = nil,
        retryAfter: Duration? = nil, calls: Int = 1, sent: Int = 1, chance: Double = 1
    ) -> Duration? {
        RetryRule(isRepeatable: repeatable, random: { $0.lowerBound + ($0.upperBound - $0.lowerBound) * chance })
            .pause(
                after: ProvisioningError(code, outcome: outcome, retryAfter: retryAfter, retryAdvice: advice),
                calls: calls, sent: sent)
    }

    @Test(arguments: [true, false], [true, false, nil])
    func theTruthTable(_ isRepeatable: Bool, _ advice: Bool?) {
        for code in ProblemCode.allCases {
            let isTransient = Self.transient.contains(code)
            for outcome in ProvisioningOutcome.allCases {
                let expected =
                    switch outcome {
                    case .notSent: isTransient && advice != false
                    case .refused, .unknown: isRepeatable && (advice ?? isTransient)
                    case .applied: false
                    }
                let isRepeated = pause(code, outcome, repeatable: isRepeatable, advice: advice) != nil
                #expect(isRepeated == expected, "\(code.rawValue), \(outcome.rawValue)")
            }
        }
    }

    @Test("E08: one counter holds for all that was tried")
    func oneCounterHoldsForAllThatWasTried() {
        #expect(pause(.providerUnavailable, .notSent, repeatable: false, calls: 2, sent: 0) != nil)
        #expect(pause(.providerUnavailable, .notSent, repeatable: false, calls: 3, sent: 0) == nil)
        #expect(pause(.providerUnavailable, .unknown, repeatable: true, calls: 2, sent: 1) != nil)
        #expect(pause(.providerUnavailable, .unknown, repeatable: true, calls: 2, sent: 2) == nil)
        #expect(pause(.providerUnavailable, .unknown, repeatable: true, calls: 3, sent: 1) == nil)
        #expect(pause(.providerUnavailable, .unknown, repeatable: true, advice: true, calls: 2, sent: 2) == nil)
    }

    @Test func theJitterIsFullAndItsCeilingDoubles() {
        #expect(pause(.providerTimeout, .notSent, repeatable: false, calls: 1, chance: 0) == .zero)
        #expect(pause(.providerTimeout, .notSent, repeatable: false, calls: 1, chance: 0.5) == .milliseconds(100))
        #expect(pause(.providerTimeout, .notSent, repeatable: false, calls: 1) == .milliseconds(200))
        #expect(pause(.providerTimeout, .notSent, repeatable: false, calls: 2) == .milliseconds(400))
    }

    @Test func aWaitThatWasAskedForIsKept() {
        let wait = Duration.seconds(2)
        #expect(pause(.providerRateLimited, .refused, repeatable: true, retryAfter: wait, chance: 0) == wait)
        #expect(pause(.providerRateLimited, .refused, repeatable: true, retryAfter: wait) == wait * 1.2)
        #expect(pause(.providerRateLimited, .refused, repeatable: true, retryAfter: .zero) == .milliseconds(200))
        #expect(pause(.providerRateLimited, .refused, repeatable: false, retryAfter: wait) == nil)
    }

    @Test func chanceIsSpreadOverTheWholeRange() throws {
        let rule = RetryRule(isRepeatable: true)
        let error = ProvisioningError(.providerUnavailable, outcome: .unknown)
        let pauses = try (0..<1000).map { _ in try #require(rule.pause(after: error, calls: 1, sent: 1)) }
        let ceiling = Duration.milliseconds(200)
        #expect(pauses.allSatisfy { (.zero...ceiling).contains($0) })
        #expect(pauses.contains { $0 < ceiling * 0.1 } && pauses.contains { $0 > ceiling * 0.9 })
    }
}

/// The same, counted at the processor.
@Suite struct RetryCountTests {
    @Test(
        arguments: [
            (.notSent, .providerUnavailable, 3, 3), (.notSent, .providerTimeout, 3, 3),
            (.notSent, .internalError, 1, 1),
            (.unknown, .providerUnavailable, 1, 2), (.unknown, .providerTimeout, 1, 2),
            (.refused, .providerRateLimited, 1, 2), (.refused, .providerRejected, 1, 1),
            (.unknown, .providerContractViolation, 1, 1), (.refused, .providerUnauthorized, 1, 1),
            (.applied, .alreadyProvisioned, 1, 1),
        ] as [(ProvisioningOutcome, ProblemCode, Int, Int)])
    func asOftenAsTheMeaningAllows(
        _ outcome: ProvisioningOutcome, _ code: ProblemCode, _ singleUse: Int, _ repeatable: Int
    ) async throws {
        for (isApple, expected) in [(true, singleUse), (false, repeatable)] {
            let fixture = try GatewayFixture()
            try await fixture.registerCard()
            let failure = ProvisioningError(code, outcome: outcome)
            fixture.provider.fail(with: failure, failure, failure, failure)
            let command = try isApple ? fixture.command() : fixture.googleCommand()
            let problem = await fixture.problem(command)
            #expect(problem?.code == code)
            #expect(fixture.provider.requests.count == expected)
            let record = try await fixture.gateway.provisioning(try #require(problem?.provisioning), program: "rides")
            #expect(record.attempts == expected)
            #expect((record.sentAt == nil) == (outcome == .notSent))
        }
    }

    @Test func theProcessorsAdviceCountsEitherWay() async throws {
        for (advice, calls) in [(true, 2), (false, 1)] {
            let fixture = try GatewayFixture()
            try await fixture.registerCard()
            let code: ProblemCode = advice ? .providerRejected : .providerUnavailable
            let failure = ProvisioningError(code, outcome: .refused, retryAdvice: advice)
            fixture.provider.fail(with: failure, failure, failure)
            #expect(await fixture.problem(fixture.googleCommand())?.code == code)
            #expect(fixture.provider.requests.count == calls)
        }
    }

    @Test func aWaitBeyondTheDeadlineIsLeftToTheCaller() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        fixture.provider.fail(
            with: ProvisioningError(.providerRateLimited, outcome: .refused, retryAfter: .seconds(30)))
        let problem = await fixture.problem(fixture.googleCommand())
        #expect(problem?.code == .providerRateLimited && problem?.retryAfter == 30)
        #expect(fixture.provider.requests.count == 1)
    }

    @Test func theFirstSendingCountsThoughTheSecondHadTheAnswer() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        fixture.provider.fail(with: ProvisioningError(.providerTimeout, outcome: .unknown))
        let began = fixture.clock.now
        let record = try await fixture.provision(fixture.googleCommand())
        #expect(record.sentAt == began && record.attempts == 2)
        #expect(
            record.timeline.map(\.step)
                == ["received", "checked", "reserved", "sent", "no_answer", "sent", "answered", "handed_off"])
    }
}
