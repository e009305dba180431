import EventLoop
import HTTPServer
import SecretMemory
import Testing

/// What the server notices of a client that leaves, and what it says became of an answer.
@Suite(.timeLimit(.minutes(1))) struct DepartureTests {
    @Test(arguments: ["GET", "POST"])
    func departureCancelsTheHandler(method: String) async throws {
        let began = Record<Void>()
        let cancelled = Record<Bool>()
        let deliveries = Record<HTTPResponse.Delivery>()
        let handler = TestHandler { _ in
            began.add()
            await Gate().wait()
            cancelled.add(Task.isCancelled)
            return .text("late").telling(deliveries)
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            await client.send(method == "GET" ? head() : post("/", "abc"))
            await began.wait()
            #expect(fixture.server.inFlightRequests == 1)
            client.reset()
            #expect(await cancelled.wait() == [true])
            await deliveries.wait()
            await fixture.wait { fixture.server.openConnections == 0 && fixture.server.inFlightRequests == 0 }
            #expect(deliveries.values == [.failed])
        }
    }

    @Test func departureOnAKeptConnectionCancelsTheHandler() async throws {
        let cancelled = Record<Bool>()
        let began = Record<Void>()
        let handler = TestHandler { request in
            guard request.path == "/wait" else { return .text("now") }
            began.add()
            await Gate().wait()
            cancelled.add(Task.isCancelled)
            return .text("late")
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            #expect(await client.exchange(head() + head("GET", "/second"))?.body == "now")
            #expect(await client.answer()?.body == "now")
            await client.send(head("GET", "/wait"))
            await began.wait()
            client.reset()
            #expect(await cancelled.wait() == [true])
            await fixture.wait { fixture.server.openConnections == 0 }
        }
    }

    /// The library writes a message for each connection that it finds broken, and closes it. By the message for the next
    /// one, the one before is closed and not yet put away: it must be left alone.
    @Test(arguments: ["GET", "POST"])
    func manyThatLeaveInTheSameMomentHarmNobody(method: String) async throws {
        let began = Record<Void>()
        let handler = TestHandler { request in
            guard request.path == "/wait" else { return .text("here") }
            began.add()
            await Gate().wait()
            return .text("late")
        }
        try await ServerFixture.with(handler) { fixture in
            for round in 1...25 {
                var clients: [RawClient] = []
                for _ in 0..<8 {
                    let client = try await fixture.client()
                    await client.send(method == "GET" ? head("GET", "/wait") : post("/wait", "abc"))
                    clients.append(client)
                }
                await began.wait(for: 8 * round)
                for client in clients { client.reset() }
                await fixture.wait { fixture.server.openConnections == 0 && fixture.server.inFlightRequests == 0 }
            }
            #expect(try await fixture.client().exchange(head())?.body == "here")
        }
    }

    @Test func halfCloseIsStillAnswered() async throws {
        let began = Record<Void>()
        let gate = Gate()
        let deliveries = Record<HTTPResponse.Delivery>()
        let handler = TestHandler { request in
            began.add()
            if request.path == "/wait" { await gate.wait() }
            return .text(Task.isCancelled ? "cancelled" : "answered").telling(deliveries)
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            await client.send(head("GET", "/wait"))
            await began.wait()
            client.halfClose()
            gate.open()
            #expect(await client.answer()?.body == "answered")
            #expect(await client.end() == .closed)
            // Closed before the server has looked at the request.
            let hasty = try await fixture.client()
            await hasty.send(post("/", "abc"))
            hasty.halfClose()
            #expect(await hasty.answer()?.body == "answered")
            #expect(await hasty.end() == .closed)
            #expect(await deliveries.wait(for: 2) == [.written, .written])
            await fixture.wait { fixture.server.openConnections == 0 }
        }
    }

    @Test func everyAnswerIsDeliveredOnce() async throws {
        let deliveries = Record<HTTPResponse.Delivery>()
        let isOnLoop = Record<Bool>()
        let handler = TestHandler(policy: { $0.path == "/refuse" ? .refuse(.text("no").telling(deliveries)) : .stream })
        {
            request in
            if request.path != "/unread" { while let piece = try? await request.bodyStream?.next() { _ = piece } }
            var response = HTTPResponse.text("yes")
            response.onDelivery = {
                isOnLoop.add(EventLoop.current != nil)
                deliveries.add($0)
            }
            return response
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            var count = 0
            for _ in 0..<5 {
                for request in [head(), post("/", "abc"), post("/refuse", "abc"), head("HEAD", "/")] {
                    await client.send(request)
                    #expect(await client.answer(toHead: request.hasPrefix("HEAD"))?.status == 200)
                    count += 1
                    await deliveries.wait(for: count)
                }
            }
            await client.send(head("POST", "/unread", "Content-Length: 100") + "abc")
            #expect(await client.answer()?.body == "yes")
            #expect(await client.end() == .closed)
            client.halfClose()
            await fixture.wait { fixture.server.openConnections == 0 && fixture.server.inFlightRequests == 0 }
            #expect(deliveries.values == [HTTPResponse.Delivery](repeating: .written, count: count + 1))
            #expect(isOnLoop.values.allSatisfy { $0 })
        }
    }

    @Test func stopCancelsAndDeliversNothing() async throws {
        let began = Record<Void>()
        let deliveries = Record<HTTPResponse.Delivery>()
        let handler = TestHandler { _ in
            began.add()
            await Gate().wait()
            return .text("late").telling(deliveries)
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            let idle = try await fixture.client()
            await client.send(head())
            await began.wait()
            await fixture.server.stop()
            #expect(await client.end() != .stillOpen)
            #expect(await idle.end() != .stillOpen)
            #expect(await deliveries.wait() == [.failed])
            #expect(fixture.server.openConnections == 0)
        }
    }
}
