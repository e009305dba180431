import HTTPServer
import SecretMemory
import Testing

/// One connection, several requests.
@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    @Test func connectionIsKept() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            for index in 0..<50 {
                let answer = await client.exchange(post("/\(index)?q=1", "body \(index)"))
                #expect(answer?.status == 200)
                #expect(answer?.body == "POST /\(index)?q=1 body \(index)")
                #expect(answer?.header("connection") != "close")
            }
            #expect(fixture.server.openConnections == 1)
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let slow = TestHandler { request in
            if request.path.hasSuffix("0") { for _ in 0..<10 { await Task.yield() } }
            return .text("\(request.path) \(request.body.revealText() ?? "")")
        }
        try await ServerFixture.with(slow) { fixture in
            let client = try await fixture.client()
            let requests = (0..<30).map { index in
                index % 3 == 0 ? head("GET", "/\(index)") : post("/\(index)", "body")
            }
            await client.send(requests.joined())
            for index in 0..<30 {
                #expect(await client.answer()?.body == "/\(index) \(index % 3 == 0 ? "" : "body")")
            }
            // And the connection is still good.
            #expect(await client.exchange(head("GET", "/last"))?.body == "/last ")
        }
    }

    @Test func pipelinedHeadCutInTwoIsServed() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            let second = head("GET", "/second", "X-Long: yes")
            for cut in stride(from: 1, to: second.utf8.count, by: 7) {
                await client.send(head("GET", "/first") + second.prefix(cut))
                #expect(await client.answer()?.body == "GET /first ")
                await client.send(String(second.dropFirst(cut)))
                #expect(await client.answer()?.body == "GET /second ", "cut at \(cut)")
            }
        }
    }

    @Test func headHasNoBody() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            await client.send(head("HEAD", "/a"))
            let answer = await client.answer(toHead: true)
            #expect(answer?.status == 200)
            #expect(answer?.header("content-length") == "8")
            #expect(await client.exchange(head("GET", "/b"))?.body == "GET /b ")
        }
    }

    @Test func clientThatExpectsContinueIsTold() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            let interim = await client.exchange(head("POST", "/", "Content-Length: 4", "Expect: 100-continue"))
            #expect(interim?.status == 100)
            #expect(await client.exchange("body")?.body == "POST / body")
            let refused = await client.exchange(head("POST", "/", "Content-Length: 400000", "Expect: 100-continue"))
            #expect(refused?.status == 413)
            #expect(await client.end() == .closed)
        }
    }

    @Test func oldProtocolIsServed() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            let answer = await client.exchange("GET /old HTTP/1.0\r\n\r\n")
            #expect(answer?.body == "GET /old ")
            #expect(await client.end() == .closed)
            let keeping = try await fixture.client()
            for _ in 0..<2 {
                let answer = await keeping.exchange("GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(answer?.body == "GET /old ")
            }
        }
    }

    @Test func closeIsHonoured() async throws {
        let handler = TestHandler { request in
            var response = HTTPResponse.text("bye")
            response.closesConnection = request.path == "/close"
            return response
        }
        try await ServerFixture.with(handler) { fixture in
            let asking = try await fixture.client()
            #expect(await asking.exchange(head("GET", "/", "Connection: close"))?.body == "bye")
            #expect(await asking.end() == .closed)
            let told = try await fixture.client()
            #expect(await told.exchange(head("GET", "/close"))?.header("connection") == "close")
            #expect(await told.end() == .closed)
        }
    }

    @Test func chunkedBodyIsCollected() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            #expect(await client.exchange(head())?.status == 200)
            await client.send(head("POST", "/", "Transfer-Encoding: chunked"))
            await client.send("3\r\nabc\r\n")
            await client.send("A;name=value\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n")
            let answer = await client.answer()
            #expect(answer?.body == "POST / abc0123456789")
            #expect(answer?.header("connection")?.lowercased() == "close")
            #expect(await client.end() == .closed)
        }
    }

    @Test func requestArrivesAsItWasSent() async throws {
        let requests = Record<HTTPRequest>()
        let handler = TestHandler { request in
            requests.add(request)
            return .text("")
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            let before = ContinuousClock.now
            _ = await client.exchange(head("PATCH", "/a%20b/%2e%2e?x=%31&y", "X-Two:  b ", "X-TWO: c", "Empty:"))
            let request = try #require(requests.values.first)
            #expect(request.method == "PATCH")
            #expect(request.path == "/a%20b/%2e%2e")
            #expect(request.query == "x=%31&y")
            #expect(request.headers.map(\.name) == ["host", "x-two", "x-two", "empty"])
            #expect(request.headers.map(\.value) == ["test", "b", "c", ""])
            #expect(request.remoteAddress == "127.0.0.1")
            #expect(request.receivedAt >= before && request.receivedAt <= .now)
            _ = await client.exchange(head("GET", "http://other/path?q"))
            #expect(requests.values.last?.path == "/path")
        }
    }

    @Test func answerArrivesAsItWasGiven() async throws {
        let handler = TestHandler { _ in
            HTTPResponse(
                status: 409, headers: [("X-One", "1"), ("Retry-After", "3"), ("Content-Length", "99")],
                body: SecretBytes(utf8: "{}"))
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            let answer = await client.exchange(head())
            #expect(answer?.status == 409)
            #expect(answer?.header("x-one") == "1")
            #expect(answer?.header("retry-after") == "3")
            #expect(answer?.header("content-length") == "2")
            #expect(answer?.header("date")?.hasSuffix(" GMT") == true)
            #expect(answer?.body == "{}")
        }
    }

    @Test func emptyAnswerHasNoBody() async throws {
        let handler = TestHandler { _ in HTTPResponse(status: 204) }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            for _ in 0..<3 { #expect(await client.exchange(head())?.status == 204) }
        }
    }
}
