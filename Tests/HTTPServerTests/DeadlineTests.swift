import HTTPServer
import SecretMemory
import Testing

/// Deadlines are total: a client that keeps sending a little does not move them.
@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
    /// Sends the bytes one by one, some milliseconds apart, until told to stop: the pauses are what is tested.
    private func drip(_ bytes: String, to client: RawClient) -> Task<Void, any Error> {
        Task {
            for byte in bytes.utf8 {
                guard await client.send([byte]) else { return }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    @Test func drippedHeadIsRefused() async throws {
        try await ServerFixture.with(.echo, configure: { $0.headerDeadline = .milliseconds(300) }) { fixture in
            let client = try await fixture.client()
            let began = ContinuousClock.now
            let feed = drip(head("GET", "/", "X: " + String(repeating: "a", count: 10_000)), to: client)
            let answer = await client.answer()
            feed.cancel()
            #expect(answer?.body == "refused: tooSlow")
            #expect(ContinuousClock.now - began >= .milliseconds(300))
            #expect(await client.end() == .closed)
        }
    }

    @Test(arguments: ["Content-Length: 10000", "Transfer-Encoding: chunked"])
    func drippedBodyIsRefused(framing: String) async throws {
        try await ServerFixture.with(.echo, configure: { $0.bodyDeadline = .milliseconds(300) }) { fixture in
            let client = try await fixture.client()
            let began = ContinuousClock.now
            await client.send(head("POST", "/", framing) + (framing.hasPrefix("T") ? "fff0\r\n" : ""))
            let feed = drip(String(repeating: "a", count: 10_000), to: client)
            let answer = await client.answer()
            feed.cancel()
            #expect(answer?.body == "refused: tooSlow")
            #expect(ContinuousClock.now - began >= .milliseconds(300))
            #expect(await client.end() == .closed)
        }
    }

    @Test func drippedStreamIsInterrupted() async throws {
        let ends = Record<Bool>()
        let handler = TestHandler(policy: { _ in .stream }) { request in
            do throws(HTTPBodyError) {
                while let stream = request.bodyStream, try await stream.next() != nil {}
                ends.add(true)
            } catch { ends.add(false) }
            return .text("late")
        }
        try await ServerFixture.with(handler, configure: { $0.bodyDeadline = .milliseconds(200) }) { fixture in
            let client = try await fixture.client()
            await client.send(head("POST", "/", "Content-Length: 1000") + "a")
            #expect(await client.answer()?.body == "refused: tooSlow")
            #expect(await ends.wait() == [false])
            #expect(await client.end() == .closed)
        }
    }

    /// A body that is streamed may be long: so much must come within the deadline, not all of it.
    @Test func aSteadyStreamMayTakeLongerThanTheDeadline() async throws {
        let handler = TestHandler(policy: { _ in .stream }) { request in
            var count = 0
            while let piece = try? await request.bodyStream?.next() { count += piece.count }
            return .text("\(count)")
        }
        try await ServerFixture.with(handler, configure: { $0.bodyDeadline = .milliseconds(400) }) { fixture in
            let client = try await fixture.client()
            let began = ContinuousClock.now
            await client.send(head("POST", "/", "Content-Length: \(12 * 65_536)"))
            for _ in 0..<12 {
                await client.send([UInt8](repeating: 0x61, count: 65_536))
                // The pauses are what is tested.
                try await Task.sleep(for: .milliseconds(60))
            }
            #expect(await client.answer()?.body == "\(12 * 65_536)")
            #expect(ContinuousClock.now - began > .milliseconds(400))
        }
    }

    @Test func silentHeadIsRefused() async throws {
        try await ServerFixture.with(.echo, configure: { $0.headerDeadline = .milliseconds(200) }) { fixture in
            let client = try await fixture.client()
            #expect(await client.exchange(head() + "GET / HT")?.status == 200)
            #expect(await client.end() == .closed)
        }
    }

    @Test func idleConnectionIsClosed() async throws {
        try await ServerFixture.with(.echo, configure: { $0.idleTimeout = .milliseconds(200) }) { fixture in
            let fresh = try await fixture.client()
            let used = try await fixture.client()
            #expect(await used.exchange(post("/", "abc"))?.status == 200)
            #expect(await fresh.rest() == ("", .closed))
            #expect(await used.rest() == ("", .closed))
        }
    }

    @Test func slowHandlerIsNoSlowClient() async throws {
        let gate = Gate()
        let handler = TestHandler { _ in
            await gate.wait()
            return .text("done")
        }
        try await ServerFixture.with(
            handler,
            configure: {
                $0.headerDeadline = .milliseconds(50)
                $0.bodyDeadline = .milliseconds(50)
                $0.idleTimeout = .milliseconds(50)
            }
        ) { fixture in
            let client = try await fixture.client()
            await client.send(post("/", "abc"))
            // The deadlines have passed when they have for clients who came later.
            let (late, silent, idle) = try await (fixture.client(), fixture.client(), fixture.client())
            await late.send(head("POST", "/", "Content-Length: 2") + "a")
            await silent.send("GET / HT")
            #expect(await late.answer()?.body == "refused: tooSlow")
            #expect(await silent.answer()?.body == "refused: tooSlow")
            #expect(await idle.rest() == ("", .closed))
            gate.open()
            #expect(await client.answer()?.body == "done")
        }
    }

    @Test func readerThatDoesNotReadIsDropped() async throws {
        let deliveries = Record<HTTPResponse.Delivery>()
        let handler = TestHandler { _ in
            HTTPResponse(status: 200, body: SecretBytes([UInt8](repeating: 0x61, count: 16 << 20))).telling(deliveries)
        }
        try await ServerFixture.with(handler, configure: { $0.bodyDeadline = .milliseconds(300) }) { fixture in
            let client = try await fixture.client(receiveBuffer: 4096)
            await client.send(head())
            #expect(await deliveries.wait() == [.failed])
            await fixture.wait { fixture.server.openConnections == 0 }
            #expect(await client.end() != .stillOpen)
        }
    }
}
