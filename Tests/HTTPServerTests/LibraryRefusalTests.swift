import HTTPServer
import SecretMemory
import Testing

/// What the library would answer by itself, or end without a word, has our answer.
@Suite(.timeLimit(.minutes(1))) struct LibraryRefusalTests {
    private static let chunked = head("POST", "/", "Transfer-Encoding: chunked")
    private static let long = String(repeating: "a", count: 100_000)

    /// What follows a sound head, and how it is refused.
    static let broken: [String: (bytes: String, refusal: String)] = [
        "letters for a size": ("xyz\r\n", "malformed"),
        "no size": ("\r\nabcde\r\n", "malformed"),
        "an extension without a size": (";a=b\r\nabcde\r\n", "malformed"),
        "a negative size": ("-1\r\n", "malformed"),
        "a signed size": ("+5\r\nabcde\r\n", "malformed"),
        "a size with a prefix": ("0x5\r\nabcde\r\n", "malformed"),
        "a size with a space behind": ("5 \r\nabcde\r\n", "malformed"),
        "a size beyond measure": ("fffffffffffffffff\r\n", "payloadTooLarge"),
        "more bytes than the size": ("5\r\nabcdeX\r\n", "malformed"),
        "fewer bytes than the size": ("5\r\nab\r\n0\r\n\r\n", "malformed"),
        "an endless size": (String(repeating: "0", count: 100_000), "malformed"),
        "an endless extension": ("5;\(long)", "malformed"),
        "an endless extension behind a chunk": ("5\r\nabcde\r\n5;\(long)", "malformed"),
        "a trailer without a colon": ("0\r\nnonsense\r\n\r\n", "malformed"),
        "a second trailer without a colon": ("0\r\nX: y\r\nnonsense\r\n\r\n", "malformed"),
        "an endless trailer": ("0\r\nX: \(long)", "headersTooLarge"),
        "endless trailers": ("0\r\n" + String(repeating: "X: y\r\n", count: 10_000), "headersTooLarge"),
    ]

    @Test(arguments: broken.keys.sorted(), ["alone", "after another", "behind another"])
    func brokenChunksAreRefused(what: String, place: String) async throws {
        let (bytes, refusal) = try #require(Self.broken[what])
        let requests = Record<String>()
        let handler = TestHandler { request in
            requests.add(request.path)
            return .text("answered")
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            if place == "after another" {
                #expect(await client.exchange(head("GET", "/first"))?.body == "answered")
            }
            await client.send((place == "behind another" ? head("GET", "/first") : "") + Self.chunked + bytes)
            if place == "behind another" { #expect(await client.answer()?.body == "answered") }
            try await expectLastAnswer(of: client, refusal)
            #expect(requests.values == (place == "alone" ? [] : ["/first"]))
        }
    }

    /// The library does not notice by itself that it will never read on.
    @Test(arguments: [30_000, 40_000, 100_000])
    func endlessLineHoldsNothingUp(length: Int) async throws {
        try await ServerFixture.with(.echo, configure: { $0.bodyDeadline = .milliseconds(500) }) { fixture in
            let fields = String(repeating: "Cookie: \(String(repeating: "c", count: 99))\r\n", count: 100)
            let heads = [Self.chunked, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\(fields)\r\n"]
            for head in heads {
                let client = try await fixture.client()
                await client.send(head + "3\r\nabc\r\n5;" + String(repeating: "a", count: length))
                let other = try await fixture.client()
                #expect(await other.exchange(post("/", "other"))?.body == "POST / other")
                let answer = try #require(await client.answer())
                #expect(answer.body.hasPrefix("refused: "))
                #expect(await client.end() == .closed)
            }
            await fixture.wait { fixture.server.openConnections == 0 && fixture.server.inFlightRequests == 0 }
        }
    }

    @Test func streamOfBrokenChunksIsInterrupted() async throws {
        let pieces = Record<String>()
        let ends = Record<Void>()
        let handler = TestHandler(policy: { _ in .stream }) { request in
            do {
                while let piece = try await request.bodyStream?.next() { pieces.add(piece.revealText() ?? "") }
            } catch {
                ends.add()
            }
            return .text("answered")
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            await client.send(Self.chunked + "5\r\nabcde\r\n")
            await pieces.wait()
            await client.send("xyz\r\n")
            try await expectLastAnswer(of: client, "malformed")
            await ends.wait()
            #expect(pieces.values == ["abcde"])
        }
    }

    @Test(arguments: ["Content-Length: 5", "Transfer-Encoding: chunked"])
    func bodyThatEndsEarlyIsRefused(framing: String) async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            await client.send(head("POST", "/", framing) + (framing.hasSuffix("5") ? "ab" : "5\r\nab"))
            client.halfClose()
            try await expectLastAnswer(of: client, "malformed")
        }
    }

    @Test func headBehindAnotherThatEndsEarlyIsRefused() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            await client.send(head("GET", "/first") + "GET / HTTP/1.1\r\nHost: te")
            client.halfClose()
            #expect(await client.answer()?.body == "GET /first ")
            try await expectLastAnswer(of: client, "malformed")
        }
    }

    @Test(arguments: ["target": "GET /", "field": "GET / HTTP/1.1\r\nHost: test\r\nX: "])
    func endlessLineBehindAnotherIsRefused(_ line: (name: String, start: String)) async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            await client.send(head("GET", "/first") + line.start + Self.long)
            #expect(await client.answer()?.body == "GET /first ")
            try await expectLastAnswer(of: client, "headersTooLarge")
        }
    }

    /// One connection's fault is not another's, though the library tells of it without saying whose it is.
    @Test func otherConnectionsGoOn() async throws {
        try await ServerFixture.with(.echo) { fixture in
            var others: [(client: RawClient, rest: String)] = []
            for index in 0..<8 {
                let client = try await fixture.client()
                if index.isMultiple(of: 2) {
                    await client.send(Self.chunked + "2\r\nab")
                    others.append((client, "\r\n0\r\n\r\n"))
                } else {
                    await client.send(head("POST", "/", "Content-Length: 2") + "a")
                    others.append((client, "b"))
                }
            }
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        guard let client = try? await fixture.client() else { return }
                        await client.send(Self.chunked + "xyz\r\n")
                        #expect(await client.answer()?.body == "refused: malformed")
                    }
                }
            }
            for (client, rest) in others {
                #expect(await client.exchange(rest)?.body == "POST / ab")
            }
        }
    }

    @Test func chunksArriveByteByByte() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            for byte in (Self.chunked + "5;a=b\r\nabcde\r\n3\r\nfgh\r\n0\r\nX: y\r\n\r\n").utf8 {
                await client.send([byte])
            }
            #expect(await client.answer()?.body == "POST / abcdefgh")
        }
    }

    @Test func trailersAreReadAndDropped() async throws {
        let fields = Record<[String]>()
        let handler = TestHandler { request in
            fields.add(request.headers.map(\.name))
            return .text(request.body.revealText() ?? "")
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            let trailers = "X-Late: y\r\nAuthorization: z\r\n a\r\n"
            await client.send(Self.chunked + "3\r\nabc\r\n0\r\n\(trailers)\r\n")
            let answer = await client.answer()
            #expect(answer?.body == "abc")
            #expect(answer?.header("connection")?.lowercased() == "close")
            #expect(fields.values == [["host", "transfer-encoding"]])
        }
    }
}
