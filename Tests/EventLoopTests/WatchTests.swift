import CLinux
import EventLoop
import Glibc
import Testing

/// Descriptors that a loop watches.
@Suite(.timeLimit(.minutes(1))) struct WatchTests {
    /// Two sockets that are connected with each other.
    private func pair() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
        return (ends[0], ends[1])
    }

    private func put(_ count: Int = 1, into descriptor: Int32) {
        let bytes = [UInt8](repeating: 0x61, count: count)
        #expect(write(descriptor, bytes, count) == count)
    }

    private func take(from descriptor: Int32) -> Int {
        var bytes = [UInt8](repeating: 0, count: 64)
        return read(descriptor, &bytes, bytes.count)
    }

    @Test func readableDescriptorIsTold() async throws {
        let (near, far) = pair()
        defer { for descriptor in [near, far] { close(descriptor) } }
        try await withLoop { loop in
            let log = Log<Int>()
            try await loop.on {
                loop.watch(near, for: .readable) { readiness in
                    if readiness.contains(.readable) && loop.isCurrent { log.add(take(from: near)) }
                }
            }
            put(3, into: far)
            await log.wait(for: 1)
            put(5, into: far)
            #expect(await log.wait(for: 2) == [3, 5])
            try await loop.on { loop.unwatch(near) }
        }
    }

    @Test func levelIsToldAgainAndEdgeOnce() async throws {
        for isEdge in [true, false] {
            let (near, far) = pair()
            defer { for descriptor in [near, far] { close(descriptor) } }
            try await withLoop { loop in
                let log = Log<String>()
                put(into: far)
                try await loop.on {
                    loop.watch(near, for: .readable, edgeTriggered: isEdge) { _ in
                        if log.values.count < 3 { log.add("ready") } else { loop.unwatch(near) }
                        if log.values.count == 1 { loop.schedule(after: .milliseconds(30)) { log.add("timer") } }
                    }
                }
                #expect(
                    await log.wait(for: isEdge ? 2 : 4) == ["ready"]
                        + (isEdge ? ["timer"] : ["ready", "ready", "timer"]))
                try await loop.on { loop.unwatch(near) }
            }
        }
    }

    @Test func writableHalfClosedAndHungUpAreTold() async throws {
        let (near, far) = pair()
        defer { close(near) }
        try await withLoop { loop in
            let log = Log<EventLoop.Readiness>()
            try await loop.on {
                loop.watch(near, for: [.readable, .writable, .halfClosed], edgeTriggered: true) { log.add($0) }
            }
            #expect(await log.wait(for: 1)[0] == .writable)
            shutdown(far, Int32(SHUT_WR))
            #expect(await log.wait(for: 2)[1].isSuperset(of: [.readable, .halfClosed]))
            close(far)
            #expect(await log.wait(for: 3)[2].contains(.hangUp))
            try await loop.on { loop.unwatch(near) }
        }
    }

    @Test func watchingAgainChangesWhatIsAsked() async throws {
        let (near, far) = pair()
        defer { for descriptor in [near, far] { close(descriptor) } }
        try await withLoop { loop in
            let log = Log<String>()
            put(into: far)
            try await loop.on {
                loop.watch(near, for: .readable) { _ in log.add("readable") }
                loop.watch(near, for: .writable, edgeTriggered: true) { _ in log.add("writable") }
                loop.schedule(after: .milliseconds(20)) { log.add("timer") }
            }
            #expect(await log.wait(for: 2) == ["writable", "timer"])
            try await loop.on { loop.unwatch(near) }
        }
    }

    /// Both descriptors are ready in one turn: the first handler ends the second's watch, closes it, and has the
    /// number used again. The event that was fetched already is for neither.
    @Test func lateEventIsNotDelivered() async throws {
        let (first, firstFar) = pair()
        let (second, secondFar) = pair()
        let (unready, unreadyFar) = pair()
        defer { for descriptor in [first, firstFar, second, secondFar, unready, unreadyFar] { close(descriptor) } }
        try await withLoop { loop in
            let log = Log<String>()
            try await loop.on {
                for (near, other) in [(first, second), (second, first)] {
                    loop.watch(near, for: .readable) { _ in
                        log.add("first")
                        loop.unwatch(near)
                        loop.unwatch(other)
                        dup2(unready, other)
                        loop.watch(other, for: .readable) { _ in log.add("late") }
                        loop.schedule(after: .milliseconds(20)) { log.add("timer") }
                    }
                }
                put(into: firstFar)
                put(into: secondFar)
            }
            #expect(await log.wait(for: 2) == ["first", "timer"])
            try await loop.on { for descriptor in [first, second] { loop.unwatch(descriptor) } }
        }
    }
}
