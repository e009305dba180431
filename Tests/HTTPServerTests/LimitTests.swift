import HTTPServer
import SecretMemory
import Testing

/// What is too large is refused with the handler's own answer.
@Suite(.timeLimit(.minutes(1))) struct LimitTests {
    @Test(arguments: ["one line": 40_000, "many lines": 100])
    func largeHeadIsRefused(_ shape: (name: String, size: Int)) async throws {
        let fields =
            shape.name == "one line"
            ? "X: " + String(repeating: "a", count: shape.size)
            : (0..<shape.size).map { "X-\($0): " + String(repeating: "a", count: 400) }.joined(separator: "\r\n")
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            let answer = await client.exchange(head("GET", "/", fields))
            #expect(answer?.status == 431)
            #expect(answer?.body == "refused: headersTooLarge")
            #expect(await client.end() == .closed)
        }
    }

    @Test func tooManyFieldsAreRefused() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            let fields = (0..<200).map { "X-\($0): a" }.joined(separator: "\r\n")
            #expect(await client.exchange(head("GET", "/", fields))?.status == 431)
            #expect(await client.end() == .closed)
        }
    }

    @Test func headAtTheLimitIsServed() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            let bare = head("GET", "/", "X: ").utf8.count
            let fit = head("GET", "/", "X: " + String(repeating: "a", count: 16_384 - bare))
            #expect(fit.utf8.count == 16_384)
            #expect(await client.exchange(fit)?.status == 200)
            let large = head("GET", "/", "X: " + String(repeating: "a", count: 16_385 - bare))
            #expect(await client.exchange(large)?.status == 431)
        }
    }

    @Test func announcedBodyAboveTheLimitIsRefusedUnread() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            let answer = await client.exchange(head("POST", "/", "Content-Length: 100000000"))
            #expect(answer?.status == 413)
            #expect(answer?.body == "refused: payloadTooLarge")
            #expect(await client.end() == .closed)
        }
    }

    /// The client reads only when it has sent everything, as many do: the answer must not be lost in a reset.
    @Test func clientThatSendsOnStillReadsTheRefusal() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            let body = String(repeating: "a", count: 400_000)
            await client.send(post("/", body))
            #expect(await client.answer()?.body == "refused: payloadTooLarge")
            #expect(await client.end() == .closed)
        }
    }

    @Test func chunkedBodyAboveTheLimitIsRefused() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            await client.send(head("POST", "/", "Transfer-Encoding: chunked"))
            let chunk = "1000\r\n" + String(repeating: "a", count: 4096) + "\r\n"
            await client.send(String(repeating: chunk, count: 20))
            let answer = await client.answer()
            #expect(answer?.status == 413)
            #expect(answer?.body == "refused: payloadTooLarge")
            #expect(await client.end() == .closed)
        }
    }

    @Test func bodyAtTheLimitIsCollected() async throws {
        let handler = TestHandler(policy: { _ in .collect(limit: 70_000) }) { .text("\($0.body.count)") }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            #expect(await client.exchange(post("/", String(repeating: "a", count: 70_000)))?.body == "70000")
            #expect(await client.exchange(post("/", String(repeating: "a", count: 70_001)))?.status == 413)
        }
    }

    @Test func refusedBodyIsAnsweredAtOnce() async throws {
        let requests = Record<Void>()
        let handler = TestHandler(policy: { _ in .refuse(.text("no", status: 404)) }) { _ in
            requests.add()
            return .text("reached")
        }
        try await ServerFixture.with(handler) { fixture in
            let large = try await fixture.client()
            #expect(await large.exchange(head("POST", "/", "Content-Length: 100000000"))?.status == 404)
            #expect(await large.end() == .closed)
            // A small body is read and dropped, and the connection kept.
            let small = try await fixture.client()
            #expect(await small.exchange(post("/", "abc"))?.status == 404)
            #expect(await small.exchange(head())?.status == 404)
            let chunked = try await fixture.client()
            #expect(await chunked.exchange(head("POST", "/", "Transfer-Encoding: chunked"))?.status == 404)
            #expect(await chunked.end() == .closed)
            #expect(requests.values.isEmpty)
        }
    }

    @Test func connectionsAboveTheLimitAreClosed() async throws {
        try await ServerFixture.with(.echo, loops: 2, configure: { $0.connectionLimit = 2 }) { fixture in
            var first: RawClient? = try await fixture.client()
            let second = try await fixture.client()
            #expect(await first?.exchange(head())?.status == 200)
            #expect(await second.exchange(head())?.status == 200)
            #expect(fixture.server.openConnections == 2)
            let third = try await fixture.client()
            #expect(await third.end() != .stillOpen)
            first = nil
            await fixture.wait { fixture.server.openConnections == 1 }
            let next = try await fixture.client()
            #expect(await next.exchange(head())?.status == 200)
        }
    }
}
