import EventLoop
import FoundationEssentials
import JSON
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Storage
import Synchronization
import Testing

@testable import Gateway

/// Events on their way to destinations.
@Suite struct SendingTests {
    private static func answer(_ status: Int, _ headers: [(name: String, value: String)] = []) -> UpstreamResponse {
        UpstreamResponse(status: status, headers: headers, body: SecretBytes(utf8: "ignored"))
    }

    @Test func anEventArrivesSignedAndAsItIsRead() async throws {
        let fixture = try await DestinationFixture()
        let made = try await fixture.add()
        try await fixture.tell("t1")
        #expect(await fixture.sendDue() == 1)
        let request = try #require(fixture.transport.requests.first)
        let event = try #require(
            try await fixture.gateway.events(EventQuery(program: "rides", page: PageRequest())).elements.first)
        #expect(request.method == .post && request.url == "https://hooks.example/a")
        #expect(try DestinationFixture.isSigned(request, with: made.secret))
        #expect(request.answerLimit == 16_384)
        #expect(request.deadline <= .now + Gateway.destinationPatience)
        let fields = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value.reveal()) })
        #expect(fields["webhook-id"] == event.id && fields["Content-Type"] == "application/json")
        #expect(fields["webhook-timestamp"] == "\(fixture.clock.now.seconds)")
        var json = JSONWriter()
        json.event(event)
        let expected = json.finish()
        #expect(request.body == expected)
        let log = try await fixture.log(made)
        #expect(log.map(\.status) == [.delivered] && log.first?.attempts.map(\.status) == [204])
        #expect(await fixture.sendDue() == 0)
        #expect(fixture.gateway.metrics.snapshot.outgoing == ["delivered": 1])
    }

    /// W02: the bytes of an event are pinned, slashes and letters of every script among them: no platform escapes them
    /// otherwise.
    @Test func w02TheBytesOfAnEventAreTheFiles() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../Contracts/Webhooks/event.json").standardized
        let golden = try #require(FileManager.default.contents(atPath: file.path()))
        let event = StoredEvent(
            id: "evt_1golden", program: "rides", card: "card-1", sequence: 7, type: "token.suspended",
            createdAt: Timestamp(milliseconds: 1_796_040_000_123),
            members: [
                .init("object", "token"), .init("provider_status", "https://a.example/b?c=d&e=<f>"),
                .init("previous_status", nil), .init("note", "Zoë \"山\" \\ \u{7f} \n\t\u{1} 👩🏽‍🚀"),
            ])
        var json = JSONWriter()
        json.event(event)
        let body = json.finish()
        #expect(body == SecretBytes(Array(golden)))
        let signer = WebhookSigner(secrets: [WebhookSecret(key: SecretBytes(Array(0..<32)))])
        let headers = signer.headers(id: event.id, at: event.createdAt, body: body)
        // By the Standard Webhooks library.
        #expect(headers.last?.value.reveal() == "v1,/QPWp36mlTKFosg2Dj7hd8maS/ckfwOCiyP2ux7POuM=")
    }

    @Test func aSecretIsShownOnceAndKeptSealed() async throws {
        let fixture = try await DestinationFixture()
        let made = try await fixture.add()
        let text = made.secret.reveal()
        #expect(text.hasPrefix("whsec_") && WebhookSecret(made.secret)?.key.count == 32)
        let kept = try await fixture.gateway.destination(made.destination.id, program: "rides")
        #expect(!"\(kept)".contains(text) && !"\(kept)".contains(text.dropFirst(6)))
        #expect(!"\(made)".contains(text.dropFirst(6)))
        #expect(try await fixture.add().secret != made.secret)
    }

    @Test func whileASecretIsReplacedBothSign() async throws {
        let fixture = try await DestinationFixture()
        let first = try await fixture.add()
        let second = try await fixture.gateway.rotateSecret(
            of: first.destination.id, program: "rides", actor: .test)
        try await fixture.tell("t1")
        await fixture.sendDue()
        let during = try #require(fixture.transport.requests.last)
        #expect(try DestinationFixture.isSigned(during, with: first.secret))
        #expect(try DestinationFixture.isSigned(during, with: second.secret))
        fixture.clock.advance(milliseconds: Gateway.secretOverlapMilliseconds)
        try await fixture.tell("t2")
        await fixture.sendDue()
        let after = try #require(fixture.transport.requests.last)
        #expect(try !DestinationFixture.isSigned(after, with: first.secret))
        #expect(try DestinationFixture.isSigned(after, with: second.secret))
    }

    @Test func whatWasSealedUnderAFormerRootSecretStillSigns() async throws {
        let fixture = try await DestinationFixture()
        let made = try await fixture.add()
        let later = try fixture.tokens.base.withAnotherRootSecret()
        #expect(later.signer(for: made.destination, at: fixture.clock.now) != nil)
        var altered = made.destination
        altered.id = "dest_other"
        #expect(later.signer(for: altered, at: fixture.clock.now) == nil)
    }

    @Test(arguments: [301, 302, 307, 308, 400, 404, 500, 503])
    func whatIsNoSuccessComesAgainOnTheScheduleUntilItIsDead(_ status: Int) async throws {
        let fixture = try await DestinationFixture { _ in Self.answer(status, [("location", "https://a.example/")]) }
        let made = try await fixture.add()
        try await fixture.tell("t1")
        for tries in 1...10 {
            #expect(await fixture.sendDue() == 1)
            let log = try #require(try await fixture.log(made).first)
            #expect(log.attempts.count == tries && log.attempts.last?.status == status)
            guard tries < 10 else { break }
            let next = try #require(log.nextAt)
            let delay = DeliverySchedule.delays[tries - 1] * 1000
            let wait = next.milliseconds - fixture.clock.now.milliseconds
            #expect((delay...(delay + delay / 5)).contains(wait))
            fixture.clock.advance(milliseconds: wait - 1)
            #expect(await fixture.sendDue() == 0)
            fixture.clock.advance(milliseconds: 1)
        }
        let log = try #require(try await fixture.log(made).first)
        #expect(log.status == .dead && log.nextAt == nil)
        fixture.clock.advance(milliseconds: 30 * 24 * 3_600_000)
        #expect(await fixture.sendDue() == 0)
        // Every try was of the same event, under the same id, and each was signed anew.
        let ids = fixture.transport.requests.map { $0.headers.first { $0.name == "webhook-id" }?.value.reveal() }
        #expect(Set(ids).count == 1 && fixture.transport.requests.count == 10)
        #expect(try fixture.transport.requests.allSatisfy { try DestinationFixture.isSigned($0, with: made.secret) })
        #expect(fixture.gateway.metrics.snapshot.outgoing == ["failed": 9, "dead": 1])
    }

    @Test func aWaitThatIsAskedForIsKept() async throws {
        let fixture = try await DestinationFixture { _ in Self.answer(429, [("retry-after", "600")]) }
        let made = try await fixture.add()
        try await fixture.tell("t1")
        await fixture.sendDue()
        let next = try #require(try await fixture.log(made).first?.nextAt)
        #expect(next == fixture.clock.now.adding(milliseconds: 600_000))
    }

    @Test func goneDisablesAndAReplayEnables() async throws {
        let status = Mutex(410)
        let fixture = try await DestinationFixture { _ in Self.answer(status.withLock { $0 }) }
        let made = try await fixture.add()
        try await fixture.tell("t1")
        await fixture.sendDue()
        let id = made.destination.id
        #expect(try await fixture.gateway.destination(id, program: "rides").status == .disabled)
        try await fixture.tell("t2")
        #expect(await fixture.sendDue() == 0)
        status.withLock { $0 = 200 }
        let (queued, next) = try await fixture.gateway.replay(
            to: id, program: "rides", from: .beginning, isForDeadOnly: false, actor: .test)
        #expect(queued == 2 && next == nil)
        #expect(await fixture.sendDue() == 1)
        #expect(await fixture.sendDue() == 1)
        #expect(try await fixture.log(made).map(\.status) == [.delivered, .delivered])
        #expect(try await fixture.gateway.destination(id, program: "rides").status == .enabled)
        #expect(fixture.gateway.metrics.snapshot.outgoing["gone"] == 1)
    }

    @Test(arguments: [
        TransportFailure.notSent(.forbiddenAddress), .notSent(.unresolved), .notSent(.tls), .outcomeUnknown(.deadline),
        .outcomeUnknown(.broken),
    ])
    func aFailureOfTheWireIsToldAndTriedAgain(_ failure: TransportFailure) async throws {
        let fixture = try await DestinationFixture { _ throws(TransportFailure) in throw failure }
        let made = try await fixture.add()
        try await fixture.tell("t1")
        await fixture.sendDue()
        let log = try #require(try await fixture.log(made).first)
        #expect(log.status == .pending && log.attempts.map(\.failure) == [failure.cause.rawValue])
        #expect(log.attempts.first?.status == nil)
    }

    @Test func whatWasNotSentAtAShutdownIsDueAsItWas() async throws {
        let fixture = try await DestinationFixture { _ throws(TransportFailure) in throw .notSent(.cancelled) }
        let made = try await fixture.add()
        try await fixture.tell("t1")
        await fixture.sendDue()
        #expect(try await fixture.log(made).first?.attempts == [])
        #expect(await fixture.sendDue() == 1)
    }

    /// The process ends after the claim, or after the receiver has the event: another sends it, under the same id.
    @Test func whatACrashLeftBehindIsSentByAnother() async throws {
        let fixture = try await DestinationFixture()
        let made = try await fixture.add()
        try await fixture.tell("t1")
        #expect(await fixture.gateway.claimOutgoing(atMost: 10).count == 1)
        let other = try fixture.tokens.another("later").serving(fixture.gateway.directory)
        #expect(await other.claimOutgoing(atMost: 10).isEmpty)
        fixture.clock.advance(milliseconds: Gateway.outgoingLeaseMilliseconds)
        let found = await other.claimOutgoing(atMost: 10)
        #expect(found.count == 1)
        for delivery in found { await other.send(delivery) }
        #expect(try await fixture.log(made).map(\.status) == [.delivered])
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func aCardsEventsArriveInOrder() async throws {
        let fixture = try await DestinationFixture()
        _ = try await fixture.add()
        for number in 1...5 { try await fixture.tell("t\(number)") }
        while await fixture.sendDue() > 0 {}
        let sequences = try fixture.transport.requests.map { request in
            try JSONParser().parse(try #require(request.body)).root["sequence"]?.integer
        }
        #expect(sequences == [1, 2, 3, 4, 5])
    }

    /// One destination never answers; what goes to the other arrives all the same.
    @Test func aSlowDestinationHoldsNoOtherUp() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let fixture = try await DestinationFixture { request throws(TransportFailure) in
            if request.url.hasSuffix("/slow") {
                try? await Task.sleep(for: .seconds(3600))
                throw .notSent(.cancelled)
            }
            arrived.yield()
            return Self.answer(200)
        }
        _ = try await fixture.add("https://hooks.example/slow")
        let fast = try await fixture.add("https://hooks.example/fast")
        for number in 1...8 {
            let card = CardKey(program: "rides", id: "card-\(number)")
            try await fixture.tokens.register(card, "card_n\(number)")
            try await fixture.tell("t\(number)", card: card, "card_n\(number)")
        }
        let loop = EventLoop(name: "sending-test")
        loop.start()
        defer { loop.stop() }
        let gateway = fixture.gateway
        let sender = loop.run { await Gateway.keepSending { gateway } }
        var count = 0
        for await _ in arrivals {
            count += 1
            if count == 8 { break }
        }
        // Of the slow one no more than its share is under way.
        let slow = fixture.transport.requests.filter { $0.url.hasSuffix("/slow") }
        #expect(slow.count == Gateway.outgoingLimitPerDestination)
        sender.cancel()
        await sender.value
        #expect(try await fixture.log(fast).allSatisfy { $0.status == .delivered })
    }

    @Test(arguments: ["http://hooks.example/", "ftp://hooks.example/", ""])
    func aURLThatTheCourierDoesNotTakeIsNamed(_ url: String) async throws {
        let fixture = try await DestinationFixture()
        await #expect(throws: Problem.self) { try await fixture.add(url) }
        do { _ = try await fixture.add(url) } catch let problem as Problem {
            #expect(problem.code == .invalidRequest && problem.errors.map(\.pointer) == ["/url"])
        }
    }

    @Test func anUnknownDestinationIsNotFound() async throws {
        let fixture = try await DestinationFixture()
        let id = try await fixture.add().destination.id
        for (id, program) in [("dest_nobody", "rides"), (id, "meals")] {
            #expect(
                await fixture.tokens.code { _ = try await fixture.gateway.destination(id, program: program) }
                    == .destinationNotFound)
            #expect(
                await fixture.tokens.code {
                    _ = try await fixture.gateway.rotateSecret(of: id, program: program, actor: .test)
                }
                    == .destinationNotFound)
            #expect(
                await fixture.tokens.code {
                    try await fixture.gateway.removeDestination(id, program: program, actor: .test)
                }
                    == .destinationNotFound)
            #expect(
                await fixture.tokens.code {
                    _ = try await fixture.gateway.replay(
                        to: id, program: program, from: .beginning, isForDeadOnly: false, actor: .test)
                } == .destinationNotFound)
        }
    }
}
