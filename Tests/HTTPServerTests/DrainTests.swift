import Glibc
import HTTPServer
import Testing

/// An orderly end.
@Suite(.timeLimit(.minutes(1))) struct DrainTests {
    @Test func whatIsInFlightIsFinished() async throws {
        let began = Record<Void>()
        let gate = Gate()
        let handler = TestHandler { _ in
            began.add()
            await gate.wait()
            return .text(Task.isCancelled ? "cancelled" : "finished")
        }
        try await ServerFixture.with(handler, loops: 2) { fixture in
            let busy = try await fixture.client()
            let arriving = try await fixture.client()
            let idle = try await fixture.client()
            await busy.send(post("/", "abc"))
            await began.wait()
            await arriving.send("GET / HTTP/1.1\r\nHo")
            await fixture.wait { fixture.server.openConnections == 3 }
            let drained = Record<Void>()
            let draining = Task {
                await fixture.server.drain(deadline: .seconds(20))
                drained.add()
            }
            #expect(await idle.rest() == ("", .closed))
            await expectRefusedConnections(fixture)
            await arriving.send("st: test\r\n\r\n")
            #expect(await arriving.answer()?.body == "refused: draining")
            #expect(await arriving.end() == .closed)
            arriving.halfClose()
            #expect(drained.values.isEmpty)
            #expect(fixture.server.inFlightRequests == 1)
            gate.open()
            let answer = await busy.answer()
            #expect(answer?.body == "finished")
            #expect(answer?.header("connection")?.lowercased() == "close")
            #expect(await busy.end() == .closed)
            await draining.value
            #expect(fixture.server.inFlightRequests == 0)
            #expect(fixture.server.openConnections == 0)
        }
    }

    @Test func deadlineCutsOffTheRest() async throws {
        let began = Record<Void>()
        let deliveries = Record<HTTPResponse.Delivery>()
        let handler = TestHandler { _ in
            began.add()
            await Gate().wait()
            return .text("late").telling(deliveries)
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            await client.send(head())
            await began.wait()
            let start = ContinuousClock.now
            await fixture.server.drain(deadline: .milliseconds(200))
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            #expect(await client.end() != .stillOpen)
            #expect(await deliveries.wait() == [.failed])
        }
    }

    @Test func idleServerDrainsAtOnce() async throws {
        try await ServerFixture.with(.echo, loops: 2) { fixture in
            let client = try await fixture.client()
            #expect(await client.exchange(head())?.status == 200)
            let start = ContinuousClock.now
            await fixture.server.drain(deadline: .seconds(30))
            #expect(ContinuousClock.now - start < .seconds(10))
            #expect(await client.end() == .closed)
        }
    }

    @Test func bodyUnderWayIsFinished() async throws {
        try await ServerFixture.with(.echo) { fixture in
            let client = try await fixture.client()
            await client.send(head("POST", "/", "Content-Length: 4") + "bo")
            await fixture.wait { fixture.server.inFlightRequests == 1 }
            let draining = Task { await fixture.server.drain(deadline: .seconds(20)) }
            await expectRefusedConnections(fixture)
            await client.send("dy")
            #expect(await client.answer()?.body == "POST / body")
            #expect(await client.end() == .closed)
            await draining.value
        }
    }

    @Test func portIsFreeAfterwards() async throws {
        try await ServerFixture.with(.echo, loops: 2) { fixture in
            let port = fixture.server.port
            await fixture.server.stop()
            try await ServerFixture.with(.echo, configure: { $0.port = port }) { next in
                #expect(next.server.port == port)
                let client = try await next.client()
                #expect(await client.exchange(head())?.status == 200)
            }
        }
    }

    /// The loops stop listening one after the other: waits until no connection is taken.
    private func expectRefusedConnections(_ fixture: ServerFixture) async {
        while !Task.isCancelled {
            do { _ = try await fixture.client() } catch {
                // Reset where the listening socket closed in the midst of the handshake.
                let code = (error as? RawClient.ConnectFailure)?.code
                #expect(code == ECONNREFUSED || code == ECONNRESET)
                return
            }
        }
    }
}
