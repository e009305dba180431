import Dispatch
import EventLoop
import Testing

/// Tasks and calls on a loop.
@Suite(.timeLimit(.minutes(1))) struct TaskTests {
    @Test func threadKnowsItsLoop() async {
        #expect(EventLoop.current == nil)
        await withLoop { loop in
            #expect(!loop.isCurrent)
            #expect(await loop.run { EventLoop.current === loop && loop.isCurrent }.value)
        }
    }

    @Test func callsFromOneThreadAreMadeInOrder() async {
        await withLoop { loop in
            let log = Log<Int>()
            for index in 0..<1000 { loop.execute { log.add(index) } }
            #expect(await log.wait(for: 1000) == Array(0..<1000))
        }
    }

    @Test func callsFromManyThreadsAreAllMade() async {
        await withLoop { loop in
            let log = Log<Bool>()
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 8) { _ in
                    for _ in 0..<1000 { loop.execute { log.add(loop.isCurrent) } }
                }
            }
            let values = await log.wait(for: 8000)
            #expect(values.count == 8000)
            #expect(values.allSatisfy { $0 })
        }
    }

    @Test func callFromTheLoopIsMadeLater() async {
        await withLoop { loop in
            let log = Log<String>()
            loop.execute {
                loop.execute { log.add("inner") }
                log.add("outer")
            }
            #expect(await log.wait(for: 2) == ["outer", "inner"])
        }
    }

    @Test func taskStaysOnItsLoopAcrossEveryWait() async throws {
        try await withLoop { loop in
            let places = try await loop.on {
                var places = [EventLoop.current === loop]
                await Task.yield()
                places.append(EventLoop.current === loop)
                try await Task.sleep(for: .milliseconds(2))
                places.append(EventLoop.current === loop)
                await Self.plain()
                places.append(EventLoop.current === loop)
                await withTaskCancellationHandler {
                    await Task.yield()
                } onCancel: {
                }
                places.append(EventLoop.current === loop)
                async let child = Self.place()
                places.append(await child === loop)
                places.append(await Task { EventLoop.current }.value == nil)
                return places
            }
            #expect(places == [Bool](repeating: true, count: 7))
        }
    }

    @Test func twoLoopsHandOver() async throws {
        let group = EventLoopGroup(count: 2)
        defer { group.stop() }
        let (first, second) = (group.loops[0], group.loops[1])
        for _ in 0..<200 {
            let isRight = try await first.on {
                let isSecond = try await second.on { second.isCurrent }
                return isSecond && first.isCurrent
            }
            #expect(isRight)
        }
    }

    @Test func errorsComeThrough() async {
        struct Failure: Error {}
        await withLoop { loop in
            await #expect(throws: Failure.self) { try await loop.on { throw Failure() } }
        }
    }

    /// Tasks that keep each other busy must not keep a timer waiting.
    @Test func busyTasksLetTimersFire() async {
        await withLoop { loop in
            let log = Log<Void>()
            let busy = loop.run { while !Task.isCancelled { await Task.yield() } }
            loop.execute { loop.schedule(after: .milliseconds(5)) { log.add(()) } }
            await log.wait(for: 1)
            busy.cancel()
            await busy.value
        }
    }

    @Test func endOfTurnComesAfterTheJobs() async {
        await withLoop { loop in
            let log = Log<String>()
            loop.execute {
                loop.atEndOfTurn { if log.values.count == 1 { log.add("end of turn") } }
                loop.execute { log.add("job") }
            }
            #expect(await log.wait(for: 2) == ["job", "end of turn"])
        }
    }

    @Test func stopWaitsForTheJobsAtHand() async {
        let log = Log<Int>()
        let loop = EventLoop(name: "stopping")
        loop.start()
        for index in 0..<100 { loop.execute { log.add(index) } }
        loop.stop()
        #expect(log.values == Array(0..<100))
    }

    private static func plain() async { await Task.yield() }
    private static func place() async -> EventLoop? { EventLoop.current }
}
