import HTTPServer
import SecretMemory
import Synchronization
import Testing

/// Bodies that are handed over piece by piece.
@Suite(.timeLimit(.minutes(1))) struct StreamTests {
    @Test(arguments: [0, 1, 100_000, 3_000_000])
    func bodyArrivesWhole(size: Int) async throws {
        let handler = TestHandler(policy: { _ in .stream }) { request in
            var count = 0
            var isRight = request.body.isEmpty
            while let piece = try? await request.bodyStream?.next() {
                for (index, byte) in piece.reveal().enumerated() where byte != UInt8((count + index) % 251) {
                    isRight = false
                }
                count += piece.count
            }
            return .text("\(count) \(isRight)")
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            let body = (0..<size).map { UInt8($0 % 251) }
            for _ in 0..<2 {
                await client.send(Array(head("POST", "/", "Content-Length: \(size)").utf8) + body)
                #expect(await client.answer()?.body == "\(size) true")
            }
            let chunk = Array("\(String(size, radix: 16))\r\n".utf8) + body + (size == 0 ? [] : Array("\r\n0\r\n".utf8))
            await client.send(Array(head("POST", "/", "Transfer-Encoding: chunked").utf8) + chunk + Array("\r\n".utf8))
            #expect(await client.answer()?.body == "\(size) true")
        }
    }

    /// While the handler does not ask, the kernel's buffers fill and the client's send does not end.
    @Test func clientIsHeldBack() async throws {
        let gate = Gate()
        let sizes = Mutex<[Int]>([])
        let began = Record<Void>()
        let size = 16 << 20
        let handler = TestHandler(policy: { _ in .stream }) { request in
            if request.path == "/" {
                began.add()
                await gate.wait()
            }
            var count = 0
            while let piece = try? await request.bodyStream?.next() {
                sizes.withLock { $0.append(piece.count) }
                count += piece.count
            }
            return .text("\(count)")
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            let isSent = Mutex(false)
            let body = [UInt8](repeating: 0x61, count: size)
            let sending = Task {
                await client.send(Array(head("POST", "/", "Content-Length: \(size)").utf8) + body)
                isSent.withLock { $0 = true }
            }
            await began.wait()
            // Another client gets as much through meanwhile.
            let other = try await fixture.client()
            await other.send(Array(head("POST", "/other", "Content-Length: \(size)").utf8) + body)
            #expect(await other.answer()?.body == "\(size)")
            #expect(!isSent.withLock { $0 })
            gate.open()
            let answer = await client.answer()
            #expect(answer?.body == "\(size)")
            _ = await sending.value
            #expect(sizes.withLock { $0.max() ?? 0 } <= 65_536)
        }
    }

    @Test func handlersOwnTimeDoesNotCountAgainstTheClient() async throws {
        let gate = Gate()
        let began = Record<Void>()
        let handler = TestHandler(policy: { _ in .stream }) { request in
            if request.path == "/" {
                began.add()
                await gate.wait()
            }
            var count = 0
            while let piece = try? await request.bodyStream?.next() { count += piece.count }
            return .text("\(count)")
        }
        try await ServerFixture.with(handler, configure: { $0.bodyDeadline = .seconds(1) }) { fixture in
            let client = try await fixture.client()
            await client.send(post("/", String(repeating: "a", count: 30_000)))
            await began.wait()
            // The deadline has passed when a client is refused who began later.
            let other = try await fixture.client()
            await other.send(head("POST", "/other", "Content-Length: 2") + "a")
            #expect(await other.answer()?.body == "refused: tooSlow")
            gate.open()
            let answer = await client.answer()
            #expect(answer?.body == "30000")
        }
    }

    @Test(arguments: ["reset", "half-close", "framing"])
    func brokenBodyInterruptsTheStream(how: String) async throws {
        let pieces = Record<Int>()
        let ends = Record<Bool>()
        let deliveries = Record<HTTPResponse.Delivery>()
        let handler = TestHandler(policy: { _ in .stream }) { request in
            do throws(HTTPBodyError) {
                while let piece = try await request.bodyStream?.next() { pieces.add(piece.count) }
                ends.add(true)
            } catch { ends.add(false) }
            return .text("late").telling(deliveries)
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            await client.send(head("POST", "/", "Transfer-Encoding: chunked") + "5\r\nabcde\r\n")
            await pieces.wait()
            switch how {
            case "reset": client.reset()
            case "half-close": client.halfClose()
            default: await client.send("nonsense\r\n")
            }
            #expect(await ends.wait() == [false])
            await deliveries.wait()
            await fixture.wait { fixture.server.openConnections == 0 && fixture.server.inFlightRequests == 0 }
            #expect(deliveries.values == [.failed])
            #expect(pieces.values == [5])
        }
    }

    @Test func answerBeforeTheEndOfTheBodyIsSent() async throws {
        let handler = TestHandler(policy: { _ in .stream }) { request in
            _ = try? await request.bodyStream?.next()
            return .text("enough", status: 422)
        }
        try await ServerFixture.with(handler) { fixture in
            let client = try await fixture.client()
            await client.send(head("POST", "/", "Content-Length: 500000") + String(repeating: "a", count: 300_000))
            let answer = await client.answer()
            #expect(answer?.status == 422)
            #expect(answer?.body == "enough")
            #expect(await client.end() == .closed)
        }
    }

    @Test func unreadPiecesOfAWholeBodyDoNoHarm() async throws {
        let handler = TestHandler(policy: { _ in .stream }) { _ in .text("unread") }
        try await ServerFixture.with(handler) { fixture in
            for _ in 0..<5 {
                let client = try await fixture.client()
                #expect(await client.exchange(post("/", "abc"))?.body == "unread")
            }
        }
    }
}
