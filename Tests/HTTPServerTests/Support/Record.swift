import Synchronization

/// What happened, in order, for a test to wait for.
final class Record<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())

    /// All so far.
    var values: [Value] { state.withLock { $0.values } }

    /// Adds one.
    func add(_ value: Value) {
        let ready = state.withLock { state in
            state.values.append(value)
            let count = state.values.count
            defer { state.waiters.removeAll { $0.count <= count } }
            return state.waiters.filter { $0.count <= count }.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits until there are so many, or until the task is cancelled.
    @discardableResult
    func wait(for count: Int = 1) async -> [Value] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.values.count >= count || Task.isCancelled { return true }
                    state.waiters.append((count, continuation))
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.continuation.resume() }
        }
        return values
    }
}

extension Record where Value == Void {
    /// Adds one.
    func add() { add(()) }
}
