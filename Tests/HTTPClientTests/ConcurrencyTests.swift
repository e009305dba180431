import EventLoop
import Foundation
import Glibc
import ProviderKit
import RawSockets
import SecretMemory
import Testing

@testable import HTTPClient

/// Many requests, several loops, and tasks that are cancelled.
@Suite struct ConcurrencyTests {
    @Test(arguments: [1, 2])
    func manyRequestsOverlapAndEachGetsItsOwnAnswer(loops: Int) async throws {
        let requests = Counter()
        let server = try ScriptedServer { peer in
            guard let first = peer.readRequest() else { return }
            requests.add()
            requests.holdThread(until: 200)
            peer.answer(first.components(separatedBy: "\r\n\r\n").last ?? "")
            while let request = peer.readRequest() {
                peer.answer(request.components(separatedBy: "\r\n\r\n").last ?? "")
            }
        }
        defer { server.stop() }
        try await ClientFixture.with(loops: loops) { fixture in
            for round in 0..<2 {
                let answers = await withTaskGroup { group in
                    for number in 0..<200 {
                        group.addTask {
                            let body = "nonce-\(round)-\(number)-"
                            return (body, await fixture.send(.post(server.url(), body), loop: number % loops).text)
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(answers.allSatisfy { $0 == $1 })
                #expect(server.copies(of: "nonce-\(round)-") == 200)
            }
            #expect(server.connections == 200)
        }
    }

    @Test func aTaskOnNoLoopIsServedToo() async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer("served") } }
        defer { server.stop() }
        try await ClientFixture.with(loops: 2) { fixture in
            for _ in 0..<4 {
                let answer = try await fixture.transport.send(.post(server.url(), "a"))
                #expect(answer.body.revealText() == "served")
                #expect(EventLoop.current == nil)
            }
            #expect(server.connections == 2)
        }
    }

    @Test func aTaskOnItsLoopStaysThere() async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        try await ClientFixture.with(loops: 2) { fixture in
            for loop in fixture.group.loops {
                let isThere = await loop.run { [transport = fixture.transport] in
                    _ = try? await transport.send(.post(server.url(), "a"))
                    return loop.isCurrent
                }.value
                #expect(isThere)
            }
            #expect(server.connections == 2)
        }
    }

    @Test(arguments: [false, true])
    func aRequestThatWasSentIsAnsweredThoughItsTaskIsCancelled(isOnLoop: Bool) async throws {
        let read = Counter()
        let cancelled = Counter()
        let server = try ScriptedServer { peer in
            peer.readRequest()
            read.add()
            cancelled.holdThread(until: 1)
            peer.answer()
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            let request = UpstreamRequest.post(server.url(), "nonce-5b1f", within: .seconds(60))
            let task = Task {
                isOnLoop ? await fixture.send(request) : await fixture.transport.result(of: request)
            }
            await read.reaches(1)
            task.cancel()
            cancelled.add()
            #expect(await task.value.status == 200)
            #expect(server.copies(of: "nonce-5b1f") == 1)
        }
    }

    @Test func aRequestThatWasSentEndsAtItsDeadlineThoughItsTaskIsCancelled() async throws {
        let read = Counter()
        let server = try ScriptedServer { peer in
            peer.readRequest()
            read.add()
            peer.waitForEnd()
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            let request = UpstreamRequest.post(server.url(), "nonce-5b2f", within: .seconds(2))
            let task = Task { await fixture.send(request) }
            await read.reaches(1)
            task.cancel()
            #expect(await task.value.failure == .outcomeUnknown(.deadline))
        }
    }

    @Test func aTaskCancelledBeforeItSendsSendsNothing() async throws {
        let cancelled = Counter()
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            for (number, loop) in [(1, nil), (2, fixture.group.loops[0])] as [(Int, EventLoop?)] {
                let task = Task(executorPreference: loop) { [transport = fixture.transport] in
                    await cancelled.reaches(number)
                    return await transport.result(of: .post(server.url(), "a"))
                }
                task.cancel()
                cancelled.add()
                #expect(await task.value.failure == .notSent(.cancelled))
            }
            #expect(server.connections == 0)
        }
    }

    @Test func aRequestCancelledInTheHandshakeIsNotSent() async throws {
        let hellos = Counter()
        let server = try ScriptedServer { peer in
            peer.waitForBytes()
            hellos.add()
            peer.waitForEnd()
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            for (number, body) in [(1, "nonce"), (2, nil)] {
                let task = Task { await fixture.send(.post("https://127.0.0.1:\(server.port)/", body)) }
                await hellos.reaches(number)
                task.cancel()
                #expect(await task.value.failure == .notSent(.cancelled))
            }
        }
    }

    @Test func manyCancellationsAtAnyMomentLeaveNothingBehind() async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        try await ClientFixture.with(loops: 2) { fixture in
            let settings = TransferSettings(.loopback, identifier: -1)
            let group = fixture.group
            for number in 0..<300 {
                weak var trace: Exchange?
                do {
                    let body = "nonce-\(number)-"
                    let exchange = Exchange(.post(server.url(), body), settings)
                    trace = exchange
                    let driver = fixture.client.driver
                    let task = Task(executorPreference: number % 3 == 0 ? group.loops[0] : nil) { [exchange] in
                        await driver.perform(exchange)
                    }
                    for _ in 0..<(number % 40) { sched_yield() }
                    task.cancel()
                    let outcome = await task.value
                    if let failure = outcome.failure { #expect(failure.cause == .cancelled) }
                    #expect(server.copies(of: body) <= 1)
                }
                // What the cancellation had queued on the loops holds it no longer than that.
                for loop in group.loops { await loop.run {}.value }
                #expect(trace == nil)
            }
            #expect(await fixture.send(.post(server.url(), "after")).status == 200)
        }
    }

    @Test func closingEndsWhatIsInFlight() async throws {
        let read = Counter()
        let server = try ScriptedServer { peer in
            peer.readRequest()
            read.add()
            peer.waitForEnd()
        }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            let task = Task { await fixture.send(.post(server.url(), "a")) }
            await read.reaches(1)
            fixture.client.close()
            #expect(await task.value.failure == .outcomeUnknown(.cancelled))
            #expect(await fixture.send(.post(server.url(), "a")).failure == .notSent(.cancelled))
        }
    }

    @Test func aHandshakeThatStallsIsNotSent() async throws {
        let server = try ScriptedServer { $0.waitForEnd() }
        defer { server.stop() }
        var options = TransportOptions()
        options.connectTimeout = .milliseconds(100)
        try await ClientFixture.with(options) { fixture in
            let url = "https://127.0.0.1:\(server.port)/"
            #expect(await fixture.send(.post(url, "a")).failure == .notSent(.unreachable))
            let late = await fixture.send(.post(url, "a", within: .milliseconds(50)))
            #expect(late.failure == .notSent(.deadline))
        }
    }
}
