import EventLoop
import Glibc
import HTTPServer
import SecretMemory
import Testing

/// Where handlers run, and how load is spread.
@Suite(.timeLimit(.minutes(1))) struct LoopTests {
    @Test func handlerStaysOnTheLoop() async throws {
        let handler = TestHandler(policy: { _ in .stream }) { request in
            let first = EventLoop.current
            await Task.yield()
            let second = EventLoop.current
            try? await first?.sleep(for: .milliseconds(5))
            let third = EventLoop.current
            await withTaskCancellationHandler {
                await nested()
            } onCancel: {
            }
            while let piece = try? await request.bodyStream?.next() { _ = piece }
            let isSame = first != nil && first === second && second === third && third === EventLoop.current
            return .text("\(isSame)")
        }
        try await ServerFixture.with(handler, loops: 2) { fixture in
            for _ in 0..<8 {
                let client = try await fixture.client()
                #expect(await client.exchange(post("/", "abc"))?.body == "true")
            }
        }
    }

    @Test func loopsShareOnePort() async throws {
        let handler = TestHandler { _ in .text(EventLoop.current?.name ?? "none") }
        try await ServerFixture.with(handler, loops: 2) { fixture in
            var names: Set<String> = []
            // The kernel spreads by source port: with 64 connections both loops have some.
            for _ in 0..<64 {
                let client = try await fixture.client()
                names.insert(await client.exchange(head())?.body ?? "")
            }
            #expect(names == ["passgate-0", "passgate-1"])
        }
    }

    @Test(arguments: [1, 1 << 20, 8 << 20])
    func slowReaderGetsAllOfAnAnswer(size: Int) async throws {
        let deliveries = Record<HTTPResponse.Delivery>()
        let text = String(repeating: "0123456789abcdef", count: size / 16) + "end"
        let handler = TestHandler { _ in .text(text).telling(deliveries) }
        try await ServerFixture.with(handler) { fixture in
            let slow = try await fixture.client(receiveBuffer: 4096)
            let quick = try await fixture.client()
            await slow.send(head())
            // The loop is free for others while the slow one does not read.
            #expect(await quick.exchange(head())?.body == text)
            #expect(await slow.answer()?.body == text)
            #expect(await slow.exchange(head())?.body == text)
            #expect(await deliveries.wait(for: 3) == [.written, .written, .written])
        }
    }

    @Test func manyClientsAtOnceAreAllServed() async throws {
        try await ServerFixture.with(.echo, loops: 2) { fixture in
            await withTaskGroup(of: Int.self) { tasks in
                for index in 0..<40 {
                    tasks.addTask {
                        guard let client = try? await fixture.client() else { return 0 }
                        var right = 0
                        for turn in 0..<25
                        where await client.exchange(post("/\(index)", "\(turn)"))?.body
                            == "POST /\(index) \(turn)"
                        {
                            right += 1
                        }
                        return right
                    }
                }
                for await right in tasks { #expect(right == 25) }
            }
        }
    }

    @Test func addressInUseIsNamed() async throws {
        try await ServerFixture.with(.echo, loops: 2) { fixture in
            var configuration = HTTPServerConfiguration(port: fixture.server.port)
            #expect(throws: HTTPServerError.addressInUse(host: "127.0.0.1", port: fixture.server.port)) {
                try HTTPServer(configuration: configuration, loops: fixture.group.loops, handler: TestHandler.echo)
                    .start()
            }
            configuration.host = "nonsense"
            #expect(throws: HTTPServerError.addressInvalid(host: "nonsense")) {
                try HTTPServer(configuration: configuration, loops: fixture.group.loops, handler: TestHandler.echo)
                    .start()
            }
            #expect(throws: HTTPServerError.alreadyStarted) { try fixture.server.start() }
        }
    }

    private func nested() async { await Task.yield() }
}
