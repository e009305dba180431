import EventLoop
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Testing

@testable import Gateway

/// How webhooks are taken in and read: over a real store, with a processor whose webhooks a test writes.
@Suite struct InboundTests {
    private let fixture: TokenFixture
    private var now: Timestamp { fixture.base.clock.now }

    init() async throws {
        fixture = try TokenFixture()
        try await fixture.register()
    }

    /// Reads what is due, once, and answers how much that was.
    @discardableResult
    private func read(with other: Gateway? = nil) async -> Int {
        let gateway = other ?? fixture.gateway
        let readings = await gateway.claimInbound()
        await withTaskGroup(of: Void.self) { group in
            for reading in readings { group.addTask { await gateway.read(reading) } }
        }
        return readings.count
    }

    private func outcomes(_ outcome: String) -> Int {
        fixture.gateway.metrics.snapshot.deliveries.filter { $0.key.outcome == outcome }.values.reduce(0, +)
    }

    private func stored() async throws -> [StoredToken] {
        try await fixture.base.store.tokens(TokenQuery(card: TokenFixture.card, page: PageRequest())).elements
    }

    @Test func aDeliveryIsKeptFirstAndReadAfter() async throws {
        try await fixture.receive("evt1 t1 active \(now.seconds) card_t")
        #expect(fixture.provider.calls.isEmpty)
        #expect(try await stored().isEmpty)
        #expect(await read() == 1)
        #expect(try await stored().map(\.sighting.status) == [.active])
        #expect(try await fixture.events() == ["token.active"])
        #expect(await read() == 0)
    }

    @Test func twoAboutOneTokenEndInTheOrderInWhichTheyCame() async throws {
        let moment = now.seconds
        let first = fixture.provider.hold("evt1")
        for text in ["evt1 t1 requested \(moment) card_t", "evt2 t1 active \(moment + 1) card_t"] {
            try await fixture.receive(text)
        }
        try await fixture.receive("evt3 t2 active \(moment) card_t")
        async let all = read()
        let patience = ContinuousClock.now + .seconds(20)
        while try await stored().isEmpty, ContinuousClock.now < patience { await Task.yield() }
        #expect(try await stored().map(\.sighting.id) == ["t2"], "another token's does not wait")
        first.finish()
        #expect(await all == 3)
        #expect(try await fixture.events() == ["token.active", "token.requested", "token.active"])
    }

    @Test func whatTakesNoCallIsNotHeldUpByTheLimitsOfCalls() async throws {
        for number in 0..<100 {
            try await fixture.receive("told\(number) t\(number) active \(now.seconds) card_t")
        }
        var counts: [Int] = []
        while counts.last != 0 { counts.append(await read()) }
        #expect(counts == [32, 32, 32, 4, 0])
        #expect(outcomes("applied") == 100)
    }

    /// W13: an event is known for longer than twice the tolerance, whatever its timestamp: 599 s and a day are not enough
    /// for a second one to be applied.
    @Test func w13AnEventIsKnownForLongerThanItsTimestampIsTaken() async throws {
        try await fixture.receive("evt1 t1 active \(now.seconds) card_t")
        await read()
        for seconds: Int64 in [599, 24 * 3600] {
            fixture.base.clock.advance(milliseconds: seconds * 1000)
            var retention = Retention()
            retention.inbound = 2
            try await fixture.base.store.sweep(at: now, retention: retention)
            try await fixture.receive("evt1 t1 deleted \(now.seconds) card_t")
            #expect(await read() == 0)
        }
        #expect(try await stored().map(\.sighting.status) == [.active])
        #expect(outcomes("repeated") == 2)
        #expect(Int64(Retention().inbound) * 24 * 3600 > 2 * WebhookTime.toleranceSeconds)
    }

    /// W20: a platform that has two endpoints at its processor, both for this connection, is told of an event twice.
    @Test func w20AnEventThatComesByTwoEndpointsIsAppliedOnce() async throws {
        for signature in ["yes", "yes, by the other endpoint"] {
            try await fixture.receive("evt1 t1 active \(now.seconds) card_t", signed: signature)
        }
        await read()
        #expect(outcomes("taken") == 1 && outcomes("repeated") == 1)
        #expect(try await fixture.events() == ["token.active"])
    }

    @Test func w19FiftyAtOnceAreAppliedOnce() async throws {
        let other = try fixture.another("other")
        let text = "evt1 t1 active \(now.seconds) card_t"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { try await fixture.receive(text, by: number % 2 == 0 ? nil : other) }
            }
            try await group.waitForAll()
        }
        await withTaskGroup(of: Void.self) { group in
            for gateway in [fixture.gateway, other] { group.addTask { await read(with: gateway) } }
        }
        #expect(fixture.provider.calls == ["notice"])
        #expect(try await fixture.events() == ["token.active"])
    }

    @Test func w18AnOldWordIsKeptAndChangesNothing() async throws {
        let moment = now.seconds
        for (number, text) in [
            "t1 active \(moment) card_t", "t1 requested \(moment - 60) card_t", "t1 suspended \(moment + 5) card_t",
        ].enumerated() {
            try await fixture.receive("evt\(number) \(text)")
            await read()
        }
        #expect(try await stored().map(\.sighting.status) == [.suspended])
        #expect(try await fixture.events() == ["token.active", "token.suspended"])
        #expect(outcomes("applied") == 3)
    }

    @Test func whatIsNotBelievedIsKeptNowhere() async throws {
        let text = "evt1 t1 active \(now.seconds) card_t"
        #expect(await fixture.code { try await fixture.receive(text, signed: "no") } == .signatureInvalid)
        let delivery = WebhookDelivery(headers: [], body: SecretBytes(utf8: text), receivedAt: now)
        #expect(
            await fixture.code { try await fixture.gateway.receive(delivery, at: "scripted_main") } == .signatureInvalid
        )
        #expect(
            await fixture.code { try await fixture.gateway.receive(delivery, at: "nobody") } == .connectionNotFound)
        try await fixture.receive(text)
        #expect(outcomes("taken") == 1 && outcomes("no_match") == 1)
    }

    @Test func whatTheGatewayHasNoUseForIsTaken() async throws {
        try await fixture.receive("thin")
        try await fixture.receive("evt7 whatever")
        try await fixture.receive("evt8 t8 active \(now.seconds) card_nobodys")
        await read()
        #expect(outcomes("ignored") == 1 && outcomes("taken") == 2 && outcomes("unmatched") == 1)
        #expect(try await fixture.events().isEmpty)
        try await fixture.receive("evt8 t8 active \(now.seconds) card_nobodys")
        #expect(outcomes("repeated") == 1)
    }

    @Test func aTokenThatIsKnownFindsItsCardByItself() async throws {
        try await fixture.receive("evt1 t1 active \(now.seconds) card_t")
        await read()
        try await fixture.receive("evt2 t1 deleted \(now.seconds + 1) card_unbound")
        await read()
        #expect(try await stored().map(\.sighting.status) == [.deleted])
    }

    @Test func whatACrashLeftIsReadByWhoComesAfter() async throws {
        try await fixture.receive("evt1 t1 active \(now.seconds) card_t")
        let claimed = try await fixture.base.store.claim(
            InboundClaim(
                now: now, holder: "crashed", leaseUntil: now.adding(milliseconds: 60_000), limit: 10))
        #expect(claimed.count == 1)
        await read()
        #expect(try await stored().isEmpty, "the lease holds")
        fixture.base.clock.advance(milliseconds: 60_001)
        await read(with: try fixture.another("later"))
        #expect(try await stored().map(\.sighting.status) == [.active])
    }

    @Test func aProcessorThatDoesNotAnswerIsAskedAgainForADay() async throws {
        fixture.provider.fail(with: ProvisioningError(.providerUnavailable, outcome: .unknown))
        try await fixture.receive("evt1 t1 active \(now.seconds) card_t")
        await read()
        await read()
        #expect(fixture.provider.calls.count == 1)
        fixture.base.clock.advance(milliseconds: 1000)
        await read()
        #expect(fixture.provider.calls.count == 2)
        fixture.provider.fail(with: nil)
        fixture.base.clock.advance(milliseconds: 2000)
        await read()
        #expect(try await stored().count == 1)
        fixture.provider.fail(with: ProvisioningError(.providerUnavailable, outcome: .unknown))
        try await fixture.receive("evt2 t1 deleted \(now.seconds) card_t")
        fixture.base.clock.advance(milliseconds: 24 * 3_600_000)
        await read()
        fixture.base.clock.advance(milliseconds: 3_600_000)
        await read()
        #expect(outcomes("failed") == 1 && fixture.provider.calls.count == 4)
    }

    /// A server of the processor's may be behind the one that sent the webhook.
    @Test func whatIsNotFoundYetIsAskedForAgain() async throws {
        fixture.provider.fail(with: ProvisioningError(.tokenNotFound, outcome: .refused))
        try await fixture.receive("evt1 t1 active \(now.seconds) card_t")
        await read()
        fixture.base.clock.advance(milliseconds: 1000)
        await read()
        #expect(fixture.provider.calls.count == 2)
        fixture.provider.fail(with: nil)
        fixture.base.clock.advance(milliseconds: 2000)
        await read()
        #expect(try await stored().map(\.sighting.status) == [.active])
    }

    @Test func whatIsNotFoundForAQuarterOfAnHourIsGivenUp() async throws {
        fixture.provider.fail(with: ProvisioningError(.tokenNotFound, outcome: .refused))
        try await fixture.receive("evt1 t1 active \(now.seconds) card_t")
        let start = now
        var reads: [Int64] = []
        while now < start.adding(milliseconds: 3_600_000) {
            if await read() > 0 { reads.append((now.milliseconds - start.milliseconds) / 1000) }
            fixture.base.clock.advance(milliseconds: 1000)
        }
        #expect(reads == [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 900])
        #expect(outcomes("failed") == 0 && outcomes("unmatched") == 0)
        fixture.provider.fail(with: nil)
        #expect(await read() == 0, "it has ended")
        #expect(try await stored().isEmpty)
    }

    @Test func waitsGrow() {
        let schedule = InboundSchedule(receivedAt: now)
        let waits = (0..<12).compactMap { schedule.next(after: $0, at: now)?.milliseconds }.map {
            $0 - now.milliseconds
        }
        #expect(waits.prefix(4) == [1000, 2000, 4000, 8000] && waits.last == 900_000)
        #expect(schedule.next(after: 0, at: now.adding(milliseconds: 24 * 3_600_000)) == nil)
    }

    @Test func theReaderWakesForWhatComes() async throws {
        let loop = EventLoop(name: "inbound-test")
        loop.start()
        defer { loop.stop() }
        let gateway = fixture.gateway
        let reader = loop.run { await Gateway.keepReadingDeliveries { gateway } }
        for number in 0..<3 {
            try await fixture.receive("evt\(number) t\(number) active \(now.seconds) card_t")
        }
        let patience = ContinuousClock.now + .seconds(20)
        while try await fixture.events().count < 3, ContinuousClock.now < patience {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try await fixture.events().count == 3)
        reader.cancel()
        await reader.value
    }

    @Test func eventsAreReadByWhoMay() async throws {
        try await fixture.receive("evt1 t1 active \(now.seconds) card_t")
        await read()
        let page = try await fixture.gateway.events(EventQuery(program: "rides", page: PageRequest()))
        let event = try #require(page.elements.first)
        #expect(try await fixture.gateway.event(event.id, program: "rides") == event)
        #expect(
            await fixture.code { _ = try await fixture.gateway.event(event.id, program: "meals") } == .eventNotFound)
        let query = EventQuery(program: "meals", after: event.id, page: PageRequest())
        #expect(await fixture.code { _ = try await fixture.gateway.events(query) } == .invalidRequest)
    }
}
