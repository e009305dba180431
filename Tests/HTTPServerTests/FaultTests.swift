import HTTPServer
import SecretMemory
import Testing

/// The ways in which a handler may have the connection broken.
@Suite(.timeLimit(.minutes(1))) struct FaultTests {
    private func handler(_ fault: HTTPResponse.Fault, _ deliveries: Record<HTTPResponse.Delivery>) -> TestHandler {
        TestHandler { request in
            var response = HTTPResponse.text("0123456789")
            if request.path == "/fault" { response.fault = fault }
            return response.telling(deliveries)
        }
    }

    @Test(arguments: [true, false])
    func resetGivesNoAnswer(isFirst: Bool) async throws {
        let deliveries = Record<HTTPResponse.Delivery>()
        try await ServerFixture.with(handler(.reset, deliveries)) { fixture in
            let client = try await fixture.client()
            if !isFirst { #expect(await client.exchange(head())?.status == 200) }
            await client.send(post("/fault", "abc"))
            #expect(await client.rest() == ("", .reset))
            await fixture.wait { fixture.server.openConnections == 0 && fixture.server.inFlightRequests == 0 }
            #expect(deliveries.values == (isFirst ? [.failed] : [.written, .failed]))
        }
    }

    @Test func garbageIsNoHTTP() async throws {
        let deliveries = Record<HTTPResponse.Delivery>()
        try await ServerFixture.with(handler(.garble, deliveries)) { fixture in
            let client = try await fixture.client()
            await client.send(post("/fault", "abc"))
            let (text, end) = await client.rest()
            #expect(!text.isEmpty && !text.contains("HTTP/") && end == .closed)
            #expect(await deliveries.wait() == [.failed])
        }
    }

    @Test(arguments: [0, 4, 9])
    func truncationKeepsTheAnnouncedLength(count: Int) async throws {
        let deliveries = Record<HTTPResponse.Delivery>()
        try await ServerFixture.with(handler(.truncate(after: count), deliveries)) { fixture in
            let client = try await fixture.client()
            await client.send(post("/fault", "abc"))
            let (text, end) = await client.rest()
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(text.lowercased().contains("content-length: 10\r\n"))
            #expect(text.hasSuffix("\r\n\r\n" + "0123456789".prefix(count)))
            #expect(end == .closed)
            #expect(await deliveries.wait() == [.failed])
        }
    }
}
