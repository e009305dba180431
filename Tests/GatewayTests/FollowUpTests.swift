import Crypto
import Foundation
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Testing

@testable import Gateway

/// How attempts are settled after their answer: over a real store, with a processor that says what the test tells it to.
@Suite struct FollowUpTests {
    private static let timeout = ProvisioningError(.providerTimeout, outcome: .unknown)
    private static let day = FollowUpSchedule.dayMilliseconds

    private let fixture: GatewayFixture
    /// A gateway whose questions are not held back: the clock of the test runs faster than that of the rate.
    private let quick: Gateway

    init() async throws {
        fixture = try GatewayFixture(attemptsPerMinute: 1000)
        try await fixture.registerCard()
        quick = try Self.gateway(of: fixture, named: "quick", ratePerSecond: 1_000_000_000)
    }

    /// Another process on the same store.
    private func gateway(
        named instance: String, _ provider: (any ProvisioningProvider)? = nil, ratePerSecond: Double? = nil,
        inFlight: Int = 256
    ) throws -> Gateway {
        try Self.gateway(
            of: fixture, named: instance, provider, ratePerSecond: ratePerSecond, inFlight: inFlight)
    }

    private static func gateway(
        of fixture: GatewayFixture, named instance: String, _ provider: (any ProvisioningProvider)? = nil,
        ratePerSecond: Double? = nil,
        inFlight: Int = 256
    ) throws -> Gateway {
        var directory = fixture.gateway.directory
        directory.connections["scripted_main"]?.ratePerSecond = ratePerSecond
        directory.connections["scripted_main"]?.inFlight = inFlight
        if let provider { directory.connections["scripted_main"]?.provider = provider }
        return Gateway(
            directory: directory, store: fixture.store,
            keys: try KeyRing([SecretBytes(utf8: "an-invented-root-secret-of-32-bytes!")]), clock: fixture.clock,
            random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }, instance: instance,
            report: { Issue.record("the store failed: \($0.failure)") })
    }

    /// An attempt whose answer never came.
    private func timeOut(_ nonce: UInt8 = 1) async throws -> String {
        fixture.provider.fail(with: Self.timeout)
        let problem = await fixture.problem(try fixture.command(nonce: [nonce, 9, 9, 9, 9, 9]))
        return try #require(problem?.provisioning)
    }

    /// The attempt, after everything that waits was written: what is due is looked for in the store alone.
    private func record(_ id: String) async throws -> StoredProvisioning {
        _ = try await fixture.store.provisionings(
            ProvisioningQuery(program: "rides", status: .unknown, page: PageRequest(limit: 1)))
        return try await fixture.gateway.provisioning(id, program: "rides")
    }

    /// Moves the clock to where the attempt is due, and follows it up.
    private func followUp(_ id: String, with gateway: Gateway? = nil) async throws {
        let due = try #require(try await record(id).followUpAt)
        fixture.clock.advance(milliseconds: max(0, due.milliseconds - fixture.clock.now.milliseconds))
        #expect(await (gateway ?? quick).followUpDue() == false)
    }

    @Test func afterATimeoutAndARepeatThatWorkedTheTokenIsTheRepeats() async throws {
        let lost = try await timeOut()
        fixture.clock.advance(milliseconds: 1500)
        let repeated = try await fixture.provision(fixture.command())
        fixture.clock.advance(milliseconds: 4500)
        fixture.provider.tokens.answer(.made(at: fixture.clock.now))
        try await followUp(lost)
        #expect(try await record(lost).status == .unknown)
        let settled = try await record(repeated.id)
        #expect(settled.status == .active && settled.settlement?.source == .probe)
        let question = try #require(fixture.provider.tokens.questions.first)
        #expect(question.card.providerCardID == "card_abc")
        let sentAt = try #require(try await record(lost).sentAt)
        #expect(question.createdFrom == Timestamp(seconds: sentAt.seconds), "cut to whole seconds")
        // Nobody ever hears of the one that timed out.
        while try await record(lost).followUpAt != nil { try await followUp(lost) }
        #expect(try await record(lost).status == .abandoned)
        #expect(try await record(repeated.id).status == .active)
    }

    @Test func theOnlyUnknownOneGetsTheToken() async throws {
        let id = try await timeOut()
        try await followUp(id)
        let asked = try await record(id)
        #expect(asked.status == .unknown && asked.followUps == 1)
        #expect(asked.timeline.last?.step == "asked")
        fixture.provider.tokens.answer(.made(at: fixture.clock.now, .verificationRequired))
        try await followUp(id)
        let settled = try await record(id)
        #expect(settled.status == .verificationRequired)
        #expect(settled.timeline.map(\.step).suffix(3) == ["asked", "token_found", "verification_required"])
        #expect(settled.followUpAt != nil, "its verification is still awaited")
        fixture.provider.tokens.answer(.made(at: Timestamp(milliseconds: settled.updatedAt.milliseconds)))
        try await followUp(id)
        let active = try await record(id)
        #expect(active.status == .active && active.followUpAt == nil)
    }

    @Test func ofTwoUnknownOnesNeitherIsSettled() async throws {
        let ids = [try await timeOut(1), try await timeOut(2)]
        fixture.provider.tokens.answer(.made(at: fixture.clock.now))
        try await followUp(ids[0])
        for id in ids {
            let record = try await record(id)
            #expect(record.status == .unknown && record.isAmbiguous)
        }
    }

    @Test func anUnknownOneIsAskedForOftenThenRarelyAndForADayAlone() async throws {
        let id = try await timeOut()
        let began = fixture.clock.now
        var moments: [Int64] = []
        while try await record(id).followUpAt != nil {
            try await followUp(id)
            moments.append(fixture.clock.now.milliseconds - began.milliseconds)
        }
        #expect(fixture.provider.tokens.questions.count == moments.count)
        #expect((30...50).contains(moments.count))
        #expect(moments[0] <= 2400 && moments[1] <= 7200 && moments.last == Self.day)
        for (earlier, later) in zip(moments, moments.dropFirst()) { #expect(later - earlier <= 4_320_000) }
        let ended = try await record(id)
        #expect(ended.status == .abandoned && ended.settlement?.source == .time)
        #expect(ended.timeline.count { $0.step == "asked" } == 1, "a question without news is noted once")
    }

    @Test func anotherProcessGoesOnWhereTheFirstEnded() async throws {
        let id = try await timeOut()
        for _ in 0..<3 { try await followUp(id) }
        let due = try await record(id).followUpAt
        let other = try gateway(named: "other")
        #expect(await other.followUpDue() == false)
        #expect(fixture.provider.tokens.questions.count == 3, "it is not due yet")
        fixture.provider.tokens.answer(.made(at: fixture.clock.now))
        try await followUp(id, with: other)
        #expect(fixture.clock.now == due)
        #expect(try await record(id).status == .active)
    }

    @Test func twoProcessesAskOnceForEachCard() async throws {
        var ids: [String] = []
        for number in 0..<8 {
            let card = "card-1\(number)"
            try await fixture.registerCard(card, providerCardID: "card_n\(number)")
            fixture.provider.fail(with: Self.timeout)
            let command = try fixture.command(nonce: [UInt8(number), 7, 7, 7, 7, 7], card: card)
            ids.append(try #require(await fixture.problem(command)?.provisioning))
            if number % 2 == 0 {
                fixture.provider.fail(with: Self.timeout)
                let again = try fixture.command(nonce: [UInt8(number), 8, 8, 8, 8, 8], card: card)
                ids.append(try #require(await fixture.problem(again)?.provisioning))
            }
        }
        fixture.clock.advance(milliseconds: 2400)
        let gateways = [fixture.gateway, try gateway(named: "two"), try gateway(named: "three")]
        await withTaskGroup(of: Void.self) { group in
            for gateway in gateways { group.addTask { _ = await gateway.followUpDue() } }
        }
        let cards = fixture.provider.tokens.questions.map(\.card.providerCardID)
        #expect(cards.sorted() == (0..<8).map { "card_n\($0)" })
        for id in ids { #expect(try await record(id).followUps <= 1) }
    }

    @Test func anAttemptThatACrashLeftBecomesUnknownAndIsSettled() async throws {
        let now = fixture.clock.now
        let left = StoredProvisioning(
            id: "prov_left", card: CardKeyFixture.card, provider: "scripted", connection: "scripted_main",
            providerCardID: "card_abc", wallet: .applePay, channel: .inApp, origin: .app, handoffType: .applePayPass,
            status: .sending, createdAt: now, deadlineAt: now.adding(milliseconds: 15_000), repairs: [], warnings: [],
            timeline: [], instance: "crashed")
        let card = try #require(try await fixture.store.card(CardKeyFixture.card))
        let serving = ServingCard(card, through: try #require(card.activeBinding?.card))
        let reserved = try await fixture.store.reserve(
            Reservation(
                record: left, card: serving, handshakeDigest: [1], handshakeExpiresAt: now, idempotency: nil))
        #expect(reserved == .reserved)
        fixture.provider.tokens.answer(.made(at: now.adding(milliseconds: 900)))
        fixture.clock.advance(milliseconds: 20_000)
        try await fixture.store.sweep(at: fixture.clock.now, retention: Retention())
        #expect(try await record("prov_left").status == .sending, "its instance may still end it")
        fixture.clock.advance(milliseconds: 1)
        try await fixture.store.sweep(at: fixture.clock.now, retention: Retention())
        #expect(try await record("prov_left").status == .unknown)
        try await followUp("prov_left")
        #expect(try await record("prov_left").status == .active)
    }

    @Test func withoutAProbeTheDayIsClosedAndNobodyIsAsked() async throws {
        let mute = try gateway(named: "mute", MuteProvider(scripted: fixture.provider))
        let lost = try await timeOut()
        let handed = try await fixture.provision(fixture.command()).id
        let added = try await fixture.provision(fixture.command(nonce: [4, 4, 4, 4, 4, 4])).id
        _ = try await fixture.store.note(
            DeviceReport(
                id: added, program: "rides", result: .added, code: nil, domain: nil, at: fixture.clock.now))
        while try await record(added).followUpAt != nil { try await followUp(added, with: mute) }
        let waiting = try await record(lost)
        #expect(waiting.followUpAt == waiting.createdAt.adding(milliseconds: Self.day))
        while try await record(handed).followUpAt != nil { try await followUp(handed, with: mute) }
        let statuses = [try await record(lost).status, try await record(handed).status, try await record(added).status]
        #expect(statuses == [.abandoned, .abandoned, .added])
        #expect(fixture.provider.tokens.questions.isEmpty)
    }

    @Test func aHandedOffAttemptIsAskedForRarely() async throws {
        let id = try await fixture.provision(fixture.command()).id
        let due = try #require(try await record(id).followUpAt)
        #expect((48_000...72_000).contains(due.milliseconds - fixture.clock.now.milliseconds))
        while try await record(id).followUpAt != nil { try await followUp(id) }
        #expect(fixture.provider.tokens.questions.count <= 10)
        #expect(try await record(id).status == .abandoned)
    }

    @Test func aProcessorThatDoesNotAnswerIsAskedOnAndTheDayEndsAnHourLater() async throws {
        let id = try await timeOut()
        let began = fixture.clock.now
        let error = ProvisioningError(
            .providerUnavailable, outcome: .unknown,
            upstream: UpstreamReport(status: 503, code: "maintenance", requestID: nil))
        fixture.provider.tokens.fail(with: error)
        try await followUp(id)
        let step = try #require(try await record(id).timeline.last)
        #expect(step.step == "asked" && step.source == "provider" && step.code == "maintenance")
        while try await record(id).followUpAt != nil { try await followUp(id) }
        #expect(try await record(id).status == .abandoned)
        let lasted = fixture.clock.now.milliseconds - began.milliseconds
        #expect((Self.day + 3_600_000...Self.day + 4_000_000).contains(lasted))
    }

    @Test func failingQuestionsDoNotOpenTheBreakerAndAnswersDoNotCloseIt() async throws {
        let id = try await timeOut()
        fixture.provider.tokens.fail(with: ProvisioningError(.providerUnavailable, outcome: .notSent))
        for _ in 0..<30 { try await followUp(id, with: fixture.gateway) }
        #expect(fixture.provider.tokens.questions.count >= 10)
        let gate = fixture.gateway.traffic.gate(of: "scripted_main")
        #expect(!gate.isOpen && gate.inFlight == 0)
        #expect(try await fixture.provision(fixture.command()).status == .handedOff)
        for nonce in 0..<20 {
            fixture.provider.fail(with: ProvisioningError(.providerUnavailable, outcome: .unknown))
            _ = await fixture.problem(try fixture.command(nonce: [UInt8(nonce), 5, 5, 5, 5, 5]))
        }
        #expect(gate.isOpen)
        let asked = fixture.provider.tokens.questions.count
        fixture.provider.tokens.answer()
        fixture.clock.advance(milliseconds: 100_000)
        _ = await fixture.gateway.followUpDue()
        #expect(fixture.provider.tokens.questions.count == asked, "nobody is asked while the breaker is open")
        #expect(gate.isOpen)
    }

    @Test func aFullConnectionPutsQuestionsOff() async throws {
        let full = try gateway(named: "full", inFlight: 0)
        let id = try await timeOut()
        try await followUp(id, with: full)
        let record = try await record(id)
        #expect(record.followUps == 0 && fixture.provider.tokens.questions.isEmpty)
        let wait = try #require(record.followUpAt).milliseconds - fixture.clock.now.milliseconds
        #expect((12_000...18_000).contains(wait))
    }

    @Test func ofAHandedOffAttemptAQuestionThatIsPutOffCountsAsOne() async throws {
        let full = try gateway(named: "full", inFlight: 0)
        let id = try await fixture.provision(fixture.command()).id
        while try await record(id).followUpAt != nil { try await followUp(id, with: full) }
        let ended = try await record(id)
        #expect(fixture.provider.tokens.questions.isEmpty)
        #expect(ended.status == .abandoned && ended.followUps < 30)
    }

    @Test func aTenthOfTheRateIsForQuestions() async throws {
        let slow = try gateway(named: "slow", ratePerSecond: 20)
        for number in 0..<10 {
            let card = "card-2\(number)"
            try await fixture.registerCard(card, providerCardID: "card_m\(number)")
            fixture.provider.fail(with: Self.timeout)
            let command = try fixture.command(nonce: [UInt8(number), 6, 6, 6, 6, 6], card: card)
            #expect(await fixture.problem(command)?.code == .providerTimeout)
        }
        fixture.clock.advance(milliseconds: 2400)
        _ = await slow.followUpDue()
        // Two a second, and the test may take a while.
        #expect((2...6).contains(fixture.provider.tokens.questions.count))
    }

    @Test func anErasedCardIsNotAskedFor() async throws {
        let id = try await timeOut()
        try await fixture.gateway.eraseCard(CardKeyFixture.card, actor: AuditActor(name: "test"))
        while try await record(id).followUpAt != nil { try await followUp(id) }
        #expect(try await record(id).status == .abandoned)
        #expect(fixture.provider.tokens.questions.isEmpty)
    }

    @Test func aGatewayThatShutsDownAsksNothingMore() async throws {
        let id = try await timeOut()
        let due = try #require(try await record(id).followUpAt)
        fixture.clock.advance(milliseconds: 2400)
        let gateway = fixture.gateway
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await gateway.followUpDue()
        }
        task.cancel()
        #expect(await task.value == false)
        #expect(fixture.provider.tokens.questions.isEmpty)
        let record = try await record(id)
        let next = try #require(record.followUpAt)
        #expect(record.followUps == 0 && (due...fixture.clock.now).contains(next))
        #expect(await gateway.followUpDue() == false)
        #expect(fixture.provider.tokens.questions.count == 1)
    }
}
