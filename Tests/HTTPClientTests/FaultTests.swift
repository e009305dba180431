import HTTPClient
import ProviderKit
import RawSockets
import Testing

/// What goes wrong on the wire, on the first and on the second request of a kept-alive connection.
@Suite struct FaultTests {
    /// One way to fail, after the server has accepted.
    enum Fault: String, CaseIterable {
        case resetsBeforeReading, resetsAfterHead, resetsAfterAll, closesBeforeReading, closesWithoutAnswer
        case stalls, dripsItsHead, dripsItsBody, cutsItsHead, cutsItsBody, cutsItsChunks, resetsInsideBody
        case isGarbled, speaksHTTP09, speaksAnotherProtocol

        /// What the client must make of it, once the request was sent.
        var cause: TransportFailure.Cause {
            switch self {
            case .stalls, .dripsItsHead, .dripsItsBody: .deadline
            case .isGarbled, .speaksHTTP09, .speaksAnotherProtocol: .garbled
            default: .broken
            }
        }

        /// Whether the break can be seen between the head and the body. Then nothing was sent, and libcurl may take a
        /// fresh connection.
        var mayComeBeforeTheBody: Bool {
            self == .resetsBeforeReading || self == .closesBeforeReading || self == .resetsAfterHead
        }

        func act(on peer: Peer) {
            switch self {
            case .resetsBeforeReading, .closesBeforeReading: peer.waitForBytes()
            case .resetsAfterHead: _ = peer.readHead()
            default: peer.readRequest()
            }
            switch self {
            case .resetsBeforeReading, .resetsAfterHead, .resetsAfterAll: peer.reset()
            case .closesBeforeReading, .closesWithoutAnswer: peer.close()
            case .stalls: peer.waitForEnd()
            case .dripsItsHead: drip("HTTP/1.1 200 OK\r\nX-Slow: ", to: peer)
            case .dripsItsBody: drip("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", to: peer)
            case .cutsItsHead: peer.write("HTTP/1.1 200 OK\r\nContent-Le")
            case .cutsItsBody: peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":")
            case .cutsItsChunks: peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n{\"id\":")
            case .resetsInsideBody:
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":")
                peer.reset()
            case .isGarbled: peer.write("HTTP/1.1 abc\r\n\u{1}\u{2}\r\n\r\n")
            case .speaksHTTP09: peer.write("<h1>It works</h1>")
            case .speaksAnotherProtocol: peer.write("SSH-2.0-OpenSSH_9.2\r\n")
            }
        }

        private func drip(_ start: String, to peer: Peer) {
            peer.write(start)
            for _ in 0..<1000 where !peer.hasClientLeft(within: 10) { peer.write("x") }
        }
    }

    @Test(arguments: Fault.allCases, [false, true])
    func isToldApartAndTheBodyArrivesOnce(_ fault: Fault, isWarmed: Bool) async throws {
        let server = try ScriptedServer { peer in
            if isWarmed, peer.index == 0 {
                peer.readRequest()
                peer.answer()
            }
            if peer.index == 0 { return fault.act(on: peer) }
            while peer.readRequest() != nil { peer.answer() }
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            if isWarmed { #expect(await fixture.send(.post(server.url(), "warm")).status == 200) }
            let time: Duration = fault.cause == .deadline ? .milliseconds(300) : .seconds(30)
            // A drip goes on for ten seconds. What else goes wrong is known long before the deadline.
            let bound: Duration = fault.cause == .deadline ? .seconds(8) : time
            let start = ContinuousClock.now
            let answer = await fixture.send(.post(server.url("/doomed"), "nonce-5b1f", within: time))
            #expect(ContinuousClock.now - start < bound)
            #expect(server.copies(of: "nonce-5b1f") <= 1)
            if answer.failure != .outcomeUnknown(fault.cause) {
                // The break was seen before libcurl asked for the body.
                #expect(fault.mayComeBeforeTheBody)
                #expect(answer.failure == .notSent(.broken) || isWarmed && answer.status == 200)
                #expect(server.copies(of: "nonce-5b1f") == (answer.status == 200 ? 1 : 0))
            }
            // The client is none the worse for it.
            #expect(await fixture.send(.post(server.url(), "after")).status == 200)
        }
    }

    @Test(arguments: [false, true])
    func aRefusedConnectionIsNotSent(isWarmed: Bool) async throws {
        let server = try ScriptedServer { peer in
            peer.readRequest()
            peer.answer(headers: "Connection: close\r\n")
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            if isWarmed { #expect(await fixture.send(.post(server.url(), "warm")).status == 200) }
            server.stopListening()
            #expect(await fixture.send(.post(server.url(), "nonce-5b1f")).failure == .notSent(.unreachable))
            #expect(await fixture.send(.get(server.url())).failure == .notSent(.unreachable))
            #expect(server.copies(of: "nonce-5b1f") == 0)
        }
    }

    /// A server goes with a body that it has read, and takes no other connection: libcurl's second try ends before it
    /// writes. What it remembers of it must not end the next request, to whomever.
    @Test func aServerThatIsGoneSpoilsNoRequestToAnother() async throws {
        let bodiesRead = Counter()
        let gone = try ScriptedServer { peer in
            peer.readRequest()
            peer.answer()
            peer.readRequest()
            bodiesRead.add()
            peer.waitForEnd()
        }
        let living = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { living.stop() }
        try await ClientFixture.with { fixture in
            #expect(await fixture.send(.post(gone.url(), "warm")).status == 200)
            async let lost = fixture.send(.post(gone.url("/doomed"), "nonce-5b1f"))
            await bodiesRead.reaches(1)
            gone.stop()
            #expect(await lost.failure == .outcomeUnknown(.broken))
            #expect(await fixture.send(.post(living.url(), "after")).status == 200)
        }
    }

    @Test func aConnectionClosedWhileIdleLosesNoRequest() async throws {
        let server = try ScriptedServer { peer in
            peer.readRequest()
            peer.answer()
            // Closes without a word, as a server does whose patience with an idle client is over.
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            for number in 0..<20 {
                let answer = await fixture.send(.post(server.url(), "nonce-\(number)-"))
                // The server's close may be under way while the next request is: then it is not sent, or unknown.
                if let failure = answer.failure { #expect(failure.cause == .broken) }
                #expect(server.copies(of: "nonce-\(number)-") <= 1)
            }
        }
    }

    @Test func anIdleConnectionThatWasSeenToCloseIsReplaced() async throws {
        let server = try ScriptedServer { peer in
            peer.readRequest()
            peer.answer()
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            #expect(await fixture.send(.post(server.url(), "first")).status == 200)
            await server.hasClosed(1)
            #expect(await fixture.send(.post(server.url(), "second")).status == 200)
            #expect(server.copies(of: "second") == 1)
            #expect(server.connections == 2)
        }
    }

    @Test(arguments: [UpstreamRequest.Method.post, .patch, .delete])
    func aChangeWithoutBodyIsWrittenOnce(_ method: UpstreamRequest.Method) async throws {
        let server = try ScriptedServer { peer in
            while let request = peer.readRequest() {
                if request.contains("/doomed") { return peer.close() }
                peer.answer()
            }
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            #expect(await fixture.send(.get(server.url())).status == 200)
            var request = UpstreamRequest.post(server.url("/doomed"), nil)
            request.method = method
            #expect(await fixture.send(request).failure == .outcomeUnknown(.broken))
            #expect(server.copies(of: "\(method.rawValue) /doomed") == 1)
        }
    }

    @Test("E08: a read is not written again either, so that calls are counted in one place")
    func aReadIsWrittenOnce() async throws {
        let server = try ScriptedServer { peer in
            peer.readRequest()
            if peer.index == 0 {
                peer.answer()
                peer.readRequest()
                return
            }
            peer.answer("fresh")
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            #expect(await fixture.send(.get(server.url())).status == 200)
            #expect(await fixture.send(.get(server.url("/lost"))).failure == .outcomeUnknown(.broken))
            #expect(server.copies(of: "/lost") == 1)
            #expect(await fixture.send(.get(server.url())).text == "fresh")
        }
    }

    @Test func aDeadlineThatHasPassedSendsNothing() async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            let failure = await fixture.send(.post(server.url(), "nonce", within: .zero)).failure
            #expect(failure == .notSent(.deadline))
            #expect(server.connections == 0)
        }
    }

    @Test func anAnswerAfterTheDeadlineIsDropped() async throws {
        let server = try ScriptedServer { peer in
            peer.readRequest()
            if peer.index == 0 {
                peer.waitForEnd()
                peer.answer("late")
            } else {
                peer.answer("its own")
            }
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            let late = await fixture.send(.post(server.url(), "one", within: .milliseconds(100)))
            #expect(late.failure == .outcomeUnknown(.deadline))
            #expect(await fixture.send(.post(server.url(), "two")).text == "its own")
        }
    }
}
