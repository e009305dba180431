import Foundation
import Synchronization

/// Counts what happens, so that tasks and threads can wait for it.
public final class Counter: Sendable {
    private struct State {
        var value = 0
        var tasks: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())
    private let condition = NSCondition()

    /// A count of none.
    public init() {}

    /// Counts one more.
    public func add() {
        let ready = state.withLock { state in
            state.value += 1
            defer { state.tasks.removeAll { $0.number <= state.value } }
            return state.tasks.filter { $0.number <= state.value }
        }
        for task in ready { task.continuation.resume() }
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Waits for a number, in a task.
    public func reaches(_ number: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.value < number { state.tasks.append((number, continuation)) }
                return state.value >= number
            }
            if isReady { continuation.resume() }
        }
    }

    /// Waits for a number, on a thread of one's own; for ten seconds at most, so that a failing test ends.
    public func holdThread(until number: Int) {
        condition.lock()
        let end = Date(timeIntervalSinceNow: 10)
        while state.withLock({ $0.value }) < number, condition.wait(until: end) {}
        condition.unlock()
    }
}
