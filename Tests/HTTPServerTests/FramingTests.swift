import HTTPServer
import Testing

/// Bytes that two readers could read in two ways are refused, and the connection with them.
@Suite(.timeLimit(.minutes(1))) struct FramingTests {
    static let malformed = [
        "two Content-Length": head("POST", "/", "Content-Length: 3", "Content-Length: 3") + "abc",
        "two different Content-Length": head("POST", "/", "Content-Length: 3", "Content-Length: 4") + "abcd",
        "Content-Length and chunked":
            head("POST", "/", "Content-Length: 3", "Transfer-Encoding: chunked") + "0\r\n\r\n",
        "chunked and Content-Length":
            head("POST", "/", "Transfer-Encoding: chunked", "Content-Length: 3") + "0\r\n\r\n",
        "an unknown coding": head("POST", "/", "Transfer-Encoding: xchunked") + "0\r\n\r\n",
        "identity": head("POST", "/", "Transfer-Encoding: identity") + "abc",
        "two codings": head("POST", "/", "Transfer-Encoding: gzip, chunked") + "0\r\n\r\n",
        "chunked twice":
            head("POST", "/", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked") + "0\r\n\r\n",
        "chunked in HTTP/1.0": head("POST", "/", "Transfer-Encoding: chunked", version: "HTTP/1.0") + "0\r\n\r\n",
        "a space before the colon": head("POST", "/", "Content-Length : 3") + "abc",
        "a tab before the colon": head("GET", "/", "X\t: y"),
        "a signed length": head("POST", "/", "Content-Length: +5") + "abcde",
        "a negative length": head("POST", "/", "Content-Length: -5"),
        "a length in hexadecimal": head("POST", "/", "Content-Length: 0x5") + "abcde",
        "a list of lengths": head("POST", "/", "Content-Length: 5, 5") + "abcde",
        "an empty length": head("POST", "/", "Content-Length: "),
        "a length beyond measure": head("POST", "/", "Content-Length: 99999999999999999999"),
        "a length with white space behind": head("POST", "/", "Content-Length: 5 ") + "abcde",
        "no Host": "GET / HTTP/1.1\r\n\r\n",
        "two Hosts": head("GET", "/", "Host: other"),
        "a continued line": head("GET", "/", "X: a", " b"),
        "a line without a colon": head("GET", "/", "nonsense"),
        "an empty name": head("GET", "/", ": y"),
        "a zero byte in a name": head("GET", "/", "X\0Y: a"),
        "a zero byte in the target": head("GET", "/a\0b"),
        "a zero byte in the method": head("G\0T", "/"),
        "a control character in the target": head("GET", "/a\u{1}b"),
        "letters beyond ASCII in the target": head("GET", "/ä"),
        "a zero byte in a value": head("GET", "/", "X: a\0b"),
        "a bare CR in a value": head("GET", "/", "X: a\rb"),
        "bare line feeds": "GET / HTTP/1.1\nHost: test\n\n",
        "no version": "GET /\r\nHost: test\r\n\r\n",
        "a version between": "GET / HTTP/1.2\r\nHost: test\r\n\r\n",
        "an earlier version": "GET / HTTP/0.9\r\nHost: test\r\n\r\n",
        "no version that is one": "GET / HTTP/x.y\r\nHost: test\r\n\r\n",
        "a later version": "GET / HTTP/2.0\r\nHost: test\r\n\r\n",
        "a version in small letters": "GET / http/1.1\r\nHost: test\r\n\r\n",
        "a preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "words": "this is no request\r\n\r\n",
        "one word": "nonsense\r\n\r\n",
        "two spaces": "GET  / HTTP/1.1\r\nHost: test\r\n\r\n",
        "a space in the target": "GET /a b HTTP/1.1\r\nHost: test\r\n\r\n",
        "an odd method": "G(T / HTTP/1.1\r\nHost: test\r\n\r\n",
        "a TLS greeting": "\u{16}\u{3}\u{1}\u{0}\u{5}",
        "no target": "GET HTTP/1.1\r\nHost: test\r\n\r\n",
    ]

    @Test(arguments: malformed.keys.sorted())
    func ambiguousHeadIsRefused(what: String) async throws {
        try await expectRefusal(try #require(Self.malformed[what]))
    }

    /// What follows a request in the same packet has been read before it could be looked at.
    @Test(arguments: malformed.keys.filter { $0 != "a TLS greeting" }.sorted())
    func ambiguousHeadBehindAnotherIsRefused(what: String) async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            await client.send(post("/first", "body") + (try #require(Self.malformed[what])))
            #expect(await client.answer()?.body == "POST /first body")
            try await expectLastAnswer(
                of: client, what == "a length beyond measure" ? "payloadTooLarge" : "malformed")
        }
    }

    /// Chunks whose ends other readers see elsewhere: nothing behind them may pass for a request.
    @Test(arguments: ["5\r\nabcde\r\n", "5\nabcde\n", "5;\nabcde\r\n", "5\r\nabcde\n"])
    func nothingIsReadBehindChunks(chunks: String) async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            let hidden = head("GET", "/hidden")
            await client.send(head("POST", "/", "Transfer-Encoding: chunked") + chunks + "0\r\n\r\n" + hidden + hidden)
            let answer = await client.answer()
            if answer?.status == 200 {
                #expect(answer?.body == "POST / abcde")
                #expect(answer?.header("connection")?.lowercased() == "close")
            }
            let (text, end) = await client.rest()
            #expect(!text.contains("hidden"))
            #expect(end == .closed)
        }
    }

    @Test func headIsTakenByteByByte() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            for byte in (head("POST", "/a?b=c", "Content-Length: 2") + "hi").utf8 { await client.send([byte]) }
            #expect(await client.answer()?.body == "POST /a?b=c hi")
        }
    }

    /// Methods are told apart by case, so it is no GET: that is for the handler to say.
    @Test func methodInSmallLettersIsAnother() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            #expect(await client.exchange(head("get", "/"))?.body == "get / ")
        }
    }

    @Test func emptyLinesBeforeARequestArePassedOver() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            for _ in 0..<3 {
                #expect(await client.exchange("\r\n" + post("/", "abc") + "\r\n")?.body == "POST / abc")
            }
        }
    }

    @Test func headThatEndsEarlyIsRefused() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            await client.send("GET / HTTP/1.1\r\nHost: te")
            client.halfClose()
            let answer = await client.answer()
            #expect(answer?.body == "refused: malformed")
            #expect(await client.end() == .closed)
        }
    }

    private func expectRefusal(_ bytes: String) async throws {
        let requests = Record<Void>()
        let handler = TestHandler { _ in
            requests.add()
            return .text("reached")
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            await client.send(bytes)
            try await expectLastAnswer(of: client, "malformed")
            #expect(requests.values.isEmpty)
        }
    }
}

/// The next answer is ours, and the last.
func expectLastAnswer(of client: RawClient, _ refusal: String) async throws {
    let answer = try #require(await client.answer())
    #expect(answer.body == "refused: \(refusal)")
    #expect(answer.status == ["malformed": 400, "payloadTooLarge": 413, "headersTooLarge": 431][refusal])
    #expect(answer.header("connection") == "close")
    #expect(await client.rest() == ("", .closed))
}
