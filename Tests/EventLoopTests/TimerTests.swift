import EventLoop
import Testing

/// Timers, which are used on the loop alone.
@Suite(.timeLimit(.minutes(1))) struct TimerTests {
    @Test func timersFireInOrderOfTheirMoment() async {
        await withLoop { loop in
            let log = Log<Int>()
            let start = ContinuousClock.now
            loop.execute {
                for delay in [40, 10, 30, 0, 20] { loop.schedule(at: start + .milliseconds(delay)) { log.add(delay) } }
            }
            #expect(await log.wait(for: 5) == [0, 10, 20, 30, 40])
            #expect(ContinuousClock.now - start >= .milliseconds(40))
        }
    }

    @Test func timersOfOneMomentFireInOrderOfArrival() async {
        await withLoop { loop in
            let log = Log<Int>()
            let moment = ContinuousClock.now + .milliseconds(10)
            loop.execute { for index in 0..<200 { loop.schedule(at: moment) { log.add(index) } } }
            #expect(await log.wait(for: 200) == Array(0..<200))
        }
    }

    @Test func timerIsNeverEarly() async {
        await withLoop { loop in
            let log = Log<Bool>()
            loop.execute {
                for delay in 0..<50 {
                    let moment = ContinuousClock.now + .microseconds(delay * 317)
                    loop.schedule(at: moment) { log.add(ContinuousClock.now >= moment) }
                }
            }
            #expect(await log.wait(for: 50).allSatisfy { $0 })
        }
    }

    @Test func cancelledTimerDoesNotFire() async {
        await withLoop { loop in
            let log = Log<String>()
            loop.execute {
                let first = loop.schedule(after: .milliseconds(5)) { log.add("cancelled") }
                first.cancel()
                first.cancel()
                // One that is due in the same turn can still be cancelled by the one before it.
                let moment = ContinuousClock.now + .milliseconds(10)
                var second: EventLoop.Timer?
                loop.schedule(at: moment) { second?.cancel() }
                second = loop.schedule(at: moment) { log.add("cancelled by a timer") }
                var fired: EventLoop.Timer?
                fired = loop.schedule(at: moment) {
                    log.add("fired")
                    fired?.cancel()
                }
                loop.schedule(after: .milliseconds(20)) { log.add("end") }
            }
            #expect(await log.wait(for: 2) == ["fired", "end"])
        }
    }

    @Test func manyCancelledTimersLeaveTheOthersInOrder() async {
        await withLoop { loop in
            let log = Log<Int>()
            loop.execute {
                let start = ContinuousClock.now
                for index in 0..<5000 {
                    let delay = (index * 7919) % 5000
                    let timer = loop.schedule(at: start + .microseconds(delay)) { log.add(delay) }
                    if index % 10 != 0 { timer.cancel() }
                }
            }
            let values = await log.wait(for: 500)
            #expect(values == (0..<5000).filter { $0 % 10 == 0 }.map { $0 * 7919 % 5000 }.sorted())
        }
    }

    @Test func timerMayAddTimers() async {
        await withLoop { loop in
            let log = Log<Int>()
            loop.execute {
                loop.schedule(after: .zero) {
                    log.add(0)
                    loop.schedule(after: .zero) {
                        log.add(1)
                        loop.schedule(after: .milliseconds(1)) { log.add(2) }
                    }
                }
            }
            #expect(await log.wait(for: 3) == [0, 1, 2])
        }
    }

    @Test func sleepLasts() async throws {
        try await withLoop { loop in
            let isOnLoop = try await loop.on {
                let start = ContinuousClock.now
                try await loop.sleep(for: .milliseconds(30))
                #expect(ContinuousClock.now - start >= .milliseconds(30))
                return EventLoop.current === loop
            }
            #expect(isOnLoop)
        }
    }

    @Test func sleepEndsWhenItsTaskIsCancelled() async {
        await withLoop { loop in
            let log = Log<String>()
            let task = loop.run {
                log.add("began")
                do {
                    try await loop.sleep(for: .seconds(60))
                    return false
                } catch { return error is CancellationError && EventLoop.current === loop }
            }
            await log.wait(for: 1)
            task.cancel()
            #expect(await task.value)
            let late = loop.run {
                withUnsafeCurrentTask { $0?.cancel() }
                do {
                    try await loop.sleep(for: .seconds(60))
                    return false
                } catch { return error is CancellationError }
            }
            #expect(await late.value)
        }
    }

    @Test func sleepIsCancelledAtAnyMoment() async {
        await withLoop { loop in
            for _ in 0..<500 {
                let task = loop.run { try? await loop.sleep(for: .microseconds(.random(in: 0..<200))) }
                task.cancel()
                await task.value
            }
        }
    }
}
