import CheckoutProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Synchronization
import Testing

@Suite("The access token of a connection to Checkout.com")
struct CheckoutAccessTests {
    private let clock = FixedClock()

    private func read(_ provider: CheckoutProvider, within time: Duration = .seconds(10))
        async throws(ProvisioningError) -> String
    {
        try await provider.cardholderID(of: CheckoutHarness.card, deadline: .now + time)
    }

    /// A hall where calls wait for one another, so that tests need no clock.
    private final class Gate: Sendable {
        private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>](), arrivals: 0))

        var arrivals: Int { state.withLock { $0.arrivals } }

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    state.arrivals += 1
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    private static func isToken(_ request: UpstreamRequest) -> Bool { request.url.hasSuffix("/connect/token") }

    private func wait(until condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while !condition() {
            try #require(ContinuousClock.now < end, "it never came to that")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Gives cards at once, and tokens once the gate is open.
    private func transport(behind gate: Gate) -> ScriptedTransport {
        ScriptedTransport { request in
            guard Self.isToken(request) else { return CheckoutHarness.cardAnswer() }
            await gate.pass()
            return CheckoutHarness.tokenAnswer()
        }
    }

    @Test func fiftyCallsAtOnceMakeOneTokenRequest() async throws {
        let gate = Gate()
        let transport = transport(behind: gate)
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await read(provider) } }
            try await wait { gate.arrivals > 0 }
            gate.open()
            for try await id in group { #expect(id == "crh_d3ozhf43pcq2xbldn2g45qnb44") }
        }
        #expect(transport.requests.count(where: Self.isToken) == 1)
        #expect(transport.requests.count == 51)
    }

    @Test func theTokenIsUsedUntilShortlyBeforeItsEnd() async throws {
        let transport = ScriptedTransport { request in
            Self.isToken(request) ? CheckoutHarness.tokenAnswer() : CheckoutHarness.cardAnswer()
        }
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        _ = try await read(provider)
        clock.advance(milliseconds: 3_539_999)
        _ = try await read(provider)
        #expect(transport.requests.count(where: Self.isToken) == 1)
        clock.advance(milliseconds: 1)
        _ = try await read(provider)
        #expect(transport.requests.count(where: Self.isToken) == 2)
    }

    @Test(arguments: [(1, 0), (100, 79_999), (Int.max, 86_339_999)] as [(Int, Int64)])
    func aLifeOfAnyLengthIsUsed(_ seconds: Int, _ used: Int64) async throws {
        let transport = ScriptedTransport { request in
            Self.isToken(request) ? CheckoutHarness.tokenAnswer(seconds: seconds) : CheckoutHarness.cardAnswer()
        }
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        _ = try await read(provider)
        clock.advance(milliseconds: used)
        _ = try await read(provider)
        #expect(transport.requests.count(where: Self.isToken) == 1)
        clock.advance(milliseconds: 1001)
        _ = try await read(provider)
        #expect(transport.requests.count(where: Self.isToken) == 2)
    }

    @Test func aRefusedTokenIsReplacedOnce() async throws {
        let count = Mutex(0)
        let transport = ScriptedTransport { request in
            if Self.isToken(request) {
                return CheckoutHarness.tokenAnswer("token-\(count.withLock { $0 += 1; return $0 })")
            }
            let isFirst = request.headers.contains { $0.value == SecretText("Bearer token-1") }
            return isFirst ? .answer(401, "") : CheckoutHarness.cardAnswer()
        }
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await read(provider) } }
            for try await id in group { #expect(id == "crh_d3ozhf43pcq2xbldn2g45qnb44") }
        }
        #expect(transport.requests.count(where: Self.isToken) == 2)
    }

    @Test func aSecond401IsTheConnectionsFault() async throws {
        let transport = ScriptedTransport { request in
            Self.isToken(request) ? CheckoutHarness.tokenAnswer() : .answer(401, "")
        }
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        await #expect(
            throws: ProvisioningError(
                .providerUnauthorized, outcome: .refused, upstream: UpstreamReport(status: 401))
        ) { try await read(provider) }
        #expect(transport.requests.map(Self.isToken) == [true, false, true, false])
    }

    /// A caller that leaves does not take the request of the others with it.
    @Test func aCallerThatLeavesDoesNotEndTheRequest() async throws {
        let gate = Gate()
        let transport = transport(behind: gate)
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        let first = Task { try await read(provider) }
        try await wait { gate.arrivals == 1 }
        let second = Task { try await read(provider) }
        first.cancel()
        do {
            _ = try await first.value
            Issue.record("the caller had left")
        } catch let error as ProvisioningError {
            #expect(error.code == .providerUnavailable && error.outcome == .notSent)
        }
        gate.open()
        #expect(try await second.value == "crh_d3ozhf43pcq2xbldn2g45qnb44")
        #expect(transport.requests.count(where: Self.isToken) == 1)
    }

    @Test func whoeverHasLessTimeLeavesEarlier() async throws {
        let gate = Gate()
        let transport = transport(behind: gate)
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        let patient = Task { try await read(provider) }
        try await wait { gate.arrivals == 1 }
        await #expect(throws: ProvisioningError(.providerTimeout, outcome: .notSent)) {
            try await read(provider, within: .milliseconds(20))
        }
        gate.open()
        #expect(try await patient.value == "crh_d3ozhf43pcq2xbldn2g45qnb44")
        #expect(transport.requests.count(where: Self.isToken) == 1)
    }

    /// The transport ends at the deadline, if not to the millisecond: what it says then counts, not who was faster.
    @Test func aRequestThatRunsIntoTheDeadlineSaysItselfHowItEnded() async throws {
        let transport = ScriptedTransport { (request) async throws(TransportFailure) in
            try? await Task.sleep(until: request.deadline + .milliseconds(50), clock: .continuous)
            throw .outcomeUnknown(.deadline)
        }
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        await #expect(throws: ProvisioningError(.providerTimeout, outcome: .unknown)) {
            try await read(provider, within: .milliseconds(20))
        }
        #expect(transport.requests.count == 1)
    }

    /// The request had the deadline of an impatient caller: who has more time asks again.
    @Test func aRequestThatHadTooLittleTimeIsMadeAgainByWhoHasMore() async throws {
        let gate = Gate()
        let count = Mutex(0)
        let transport = ScriptedTransport { (request) async throws(TransportFailure) in
            guard Self.isToken(request) else { return CheckoutHarness.cardAnswer() }
            if count.withLock({
                $0 += 1; return $0
            }) > 1 {
                return CheckoutHarness.tokenAnswer()
            }
            await gate.pass()
            throw .outcomeUnknown(.deadline)
        }
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        let impatient = Task { try await read(provider, within: .seconds(5)) }
        try await wait { gate.arrivals == 1 }
        let patient = Task { try await read(provider, within: .seconds(20)) }
        // The patient one has joined once it waits; it may also come late and find nothing under way, which is as good.
        await Task.yield()
        gate.open()
        #expect(try await patient.value == "crh_d3ozhf43pcq2xbldn2g45qnb44")
        await #expect(throws: ProvisioningError(.providerTimeout, outcome: .unknown)) { try await impatient.value }
    }

    @Test(
        arguments: [
            (.answer(400, #"{"error":"invalid_client"}"#), .providerUnauthorized, .refused, "invalid_client"),
            (.answer(400, #"{"error":"invalid_scope"}"#), .providerUnauthorized, .refused, "invalid_scope"),
            (.answer(400, ""), .providerUnauthorized, .refused, nil),
            (.answer(401, #"{"error":"invalid_client"}"#), .providerUnauthorized, .refused, "invalid_client"),
            (.answer(403, ""), .providerUnauthorized, .refused, nil),
            (.answer(404, ""), .providerRejected, .refused, nil),
            (.answer(429, ""), .providerRateLimited, .refused, nil),
            (.answer(500, ""), .providerUnavailable, .unknown, nil),
            (.html(502, "Bad Gateway"), .providerUnavailable, .unknown, nil),
            (.answer(504, ""), .providerTimeout, .unknown, nil),
            (.answer(200, ""), .providerContractViolation, .unknown, nil),
            (.answer(200, #"{"token_type":"Bearer","expires_in":3600}"#), .providerContractViolation, .unknown, nil),
            (.answer(200, #"{"access_token":"a b","expires_in":3600}"#), .providerContractViolation, .unknown, nil),
            (.answer(200, #"{"access_token":"","expires_in":3600}"#), .providerContractViolation, .unknown, nil),
            (.answer(200, #"{"access_token":"a"}"#), .providerContractViolation, .unknown, nil),
            (.answer(200, #"{"access_token":"a","expires_in":0}"#), .providerContractViolation, .unknown, nil),
            (.answer(200, #"{"access_token":"a","expires_in":"1"}"#), .providerContractViolation, .unknown, nil),
            (
                .answer(200, #"{"access_token":"a","expires_in":9,"token_type":"mac"}"#), .providerContractViolation,
                .unknown, nil
            ),
        ] as [(UpstreamResponse, ProblemCode, ProvisioningOutcome, String?)])
    func withoutATokenTheCardIsNotAskedFor(
        _ response: UpstreamResponse, _ code: ProblemCode, _ outcome: ProvisioningOutcome, _ word: String?
    ) async throws {
        let transport = ScriptedTransport { _ in response }
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        for _ in 0..<2 {
            do throws(ProvisioningError) {
                _ = try await read(provider)
                Issue.record("the card was read")
            } catch {
                #expect(error.code == code && error.outcome == outcome && error.upstream?.code == word)
            }
        }
        // A failure is not kept: the next call asks again.
        #expect(transport.requests.count == 2 && transport.requests.allSatisfy(Self.isToken))
    }

    @Test func noDescriptionShowsAToken() async throws {
        let transport = ScriptedTransport { request in
            Self.isToken(request) ? CheckoutHarness.tokenAnswer() : CheckoutHarness.cardAnswer()
        }
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        _ = try await read(provider)
        var shown = ""
        dump(provider, to: &shown)
        for request in transport.requests { dump(request, to: &shown) }
        for secret in [CheckoutHarness.accessToken, CheckoutHarness.clientSecret, "PRIVATE KEY"] {
            #expect(!shown.contains(secret))
        }
    }
}
