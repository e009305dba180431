import HTTPClient
import ProviderKit
import RawSockets
import SecretMemory
import Testing

/// What is made of the answers that come.
@Suite struct AnswerTests {
    /// Sends one POST to a server that gives these bytes, first or second on its connection, and closes.
    private func answer(to bytes: String, limit: Int = 262_144, isWarmed: Bool = false) async throws
        -> Result<UpstreamResponse, TransportFailure>
    {
        let server = try ScriptedServer { peer in
            if isWarmed {
                peer.readRequest()
                peer.answer()
            }
            peer.readRequest()
            peer.write(bytes)
        }
        defer { server.stop() }
        return try await ClientFixture.with { fixture in
            if isWarmed { #expect(await fixture.send(.post(server.url(), "warm")).status == 200) }
            var request = UpstreamRequest.post(server.url(), "nonce-5b1f")
            request.answerLimit = limit
            let answer = await fixture.send(request)
            #expect(server.copies(of: "nonce-5b1f") == 1)
            return answer
        }
    }

    @Test(arguments: [false, true])
    func anyStatusIsAnAnswer(isWarmed: Bool) async throws {
        for status in [200, 201, 204, 301, 302, 400, 401, 404, 409, 429, 500, 503, 599] {
            let head = "HTTP/1.1 \(status) Some Words\r\nContent-Length: 0\r\n\r\n"
            #expect(try await answer(to: head, isWarmed: isWarmed).status == status)
        }
    }

    @Test(arguments: [false, true])
    func markupIsAnAnswer(isWarmed: Bool) async throws {
        let head = "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
        let answer = try await answer(to: head + "<html>sorry</html>", isWarmed: isWarmed)
        #expect(answer.status == 502)
        #expect(answer.text == "<html>sorry</html>")
    }

    @Test(arguments: [false, true])
    func chunksAreJoinedAndTrailersLeftOut(isWarmed: Bool) async throws {
        let answer = try await answer(
            to:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n5;x=y\r\n\": 1}\r\n0\r\nX-Late: 1\r\n\r\n",
            isWarmed: isWarmed
        ).get()
        #expect(answer.body.revealText() == "{\"a\": 1}")
        #expect(answer.isBodyWhole)
        #expect(answer.header("x-late") == nil)
    }

    @Test(arguments: [false, true])
    func interimAnswersAreSkipped(isWarmed: Bool) async throws {
        let answer = try await answer(
            to: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                + "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok", isWarmed: isWarmed
        ).get()
        #expect(answer.status == 201)
        #expect(answer.body.revealText() == "ok")
        #expect(answer.headers.map(\.name) == ["content-length"])
    }

    @Test(arguments: [false, true])
    func onlyAnInterimAnswerIsNoAnswer(isWarmed: Bool) async throws {
        let answer = try await answer(to: "HTTP/1.1 100 Continue\r\n\r\n", isWarmed: isWarmed)
        #expect(answer.failure == .outcomeUnknown(.broken))
    }

    @Test func aSwitchOfProtocolsIsNoAnswer() async throws {
        let answer = try await answer(to: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nwhatever")
        #expect(answer.status == nil)
    }

    @Test(arguments: ["Content-Length: 101\r\n\r\n", "Connection: close\r\n\r\n"], [false, true])
    func aBodyOverTheLimitIsLeftOut(framing: String, isWarmed: Bool) async throws {
        let answer = try await answer(
            to: "HTTP/1.1 422 No\r\nX-Id: 7\r\n\(framing)" + String(repeating: "x", count: 101), limit: 100,
            isWarmed: isWarmed
        ).get()
        #expect(answer.status == 422)
        #expect(answer.header("x-id") == "7")
        #expect(answer.body.isEmpty)
        #expect(!answer.isBodyWhole)
    }

    @Test func aBodyAtTheLimitIsWhole() async throws {
        let body = String(repeating: "x", count: 100)
        let answer = try await answer(to: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + body, limit: 100).get()
        #expect(answer.isBodyWhole)
        #expect(answer.body.revealText() == body)
    }

    @Test func anEncodingThatWasNotAskedForIsLeftOut() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"
        let answer = try await answer(to: head).get()
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(!answer.isBodyWhole)
    }

    @Test func fieldsKeepTheirOrderAndTheirDuplicates() async throws {
        let answer = try await answer(
            to: "HTTP/1.1 200 OK\r\nB: 1\r\nA: 2\r\nb:  3 \r\nContent-Length: 0\r\n\r\n"
        ).get()
        #expect(answer.headers.map { "\($0.name)=\($0.value)" } == ["b=1", "a=2", "b=3", "content-length=0"])
    }

    @Test func aRedirectIsNotFollowed() async throws {
        let head = "HTTP/1.1 307 Go\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
        let answer = try await answer(to: head).get()
        #expect(answer.status == 307)
        #expect(answer.header("location") == "/elsewhere")
    }

    @Test func cookiesAreNotKept() async throws {
        let server = try ScriptedServer { peer in
            while peer.readRequest() != nil { peer.answer(headers: "Set-Cookie: a=b\r\n") }
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            for _ in 0..<2 { #expect(await fixture.send(.get(server.url())).status == 200) }
            #expect(!server.received.lowercased().contains("cookie"))
            #expect(server.connections == 1)
        }
    }
}
