import Synchronization

/// Lets tasks wait until so many threads have ended.
final class Latch: Sendable {
    private struct State {
        var missing: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(missing: count)) }

    /// One has ended.
    func arrive() {
        let waiters = state.withLock { state in
            state.missing -= 1
            guard state.missing == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once all have ended.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.missing == 0 { return true }
                state.waiters.append(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }
}
