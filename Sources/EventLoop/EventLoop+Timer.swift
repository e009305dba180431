internal import Synchronization

extension EventLoop {
    /// Something that will be done at a moment, unless it is cancelled.
    ///
    /// Safe to share: it is touched on the loop's thread alone.
    public final class Timer: @unchecked Sendable {
        let fireAt: ContinuousClock.Instant
        let order: Int
        var body: (() -> Void)?
        private let cancelled: TimerHeap.CancelledCount

        init(
            fireAt: ContinuousClock.Instant, order: Int, cancelled: TimerHeap.CancelledCount,
            body: @escaping () -> Void
        ) {
            self.fireAt = fireAt
            self.order = order
            self.cancelled = cancelled
            self.body = body
        }

        /// Keeps it from being done. On the loop only.
        public func cancel() {
            guard body != nil else { return }
            body = nil
            cancelled.value += 1
        }
    }

    /// Calls `body` on the loop at the moment, or as soon after it as the loop can. On the loop only.
    @discardableResult
    public func schedule(at moment: ContinuousClock.Instant, _ body: @escaping () -> Void) -> Timer {
        preconditionIsCurrent()
        return timers.add(at: moment, body)
    }

    /// Calls `body` on the loop after the time. On the loop only.
    @discardableResult
    public func schedule(after time: Duration, _ body: @escaping () -> Void) -> Timer {
        schedule(at: .now + time, body)
    }

    /// Waits, on the loop.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for time: Duration) async throws {
        let sleeper = Sleeper()
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                guard sleeper.hold(continuation) else { return continuation.resume() }
                onLoop { sleeper.timer = self.schedule(after: time) { sleeper.wake() } }
            }
        } onCancel: {
            sleeper.wake()
            onLoop { sleeper.timer?.cancel() }
        }
        try Task.checkCancellation()
    }

    /// Calls `body` at once where this is the loop, else soon.
    private func onLoop(_ body: @escaping @Sendable () -> Void) {
        if isCurrent { body() } else { execute(body) }
    }
}

/// A continuation that is resumed once, by whoever comes first: the timer or the canceller.
///
/// Safe to share: the continuation is behind a mutex, and the timer is touched on the loop alone.
private final class Sleeper: @unchecked Sendable {
    private struct State {
        var continuation: UnsafeContinuation<Void, Never>?
        var isAwake = false
    }
    private let state = Mutex(State())
    var timer: EventLoop.Timer?

    func hold(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
        state.withLock { state in
            if state.isAwake { return false }
            state.continuation = continuation
            return true
        }
    }

    func wake() {
        let continuation = state.withLock { state in
            state.isAwake = true
            return state.continuation.take()
        }
        continuation?.resume()
    }
}
