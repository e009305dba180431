import Provisioning
import Synchronization

/// Keeps one connection from being overrun: calls under way, calls a second, extra attempts, and a circuit breaker.
///
/// Per instance: several instances on one store each count their own.
final class ConnectionGuard: Sendable {
    /// Why a request may not go to the connection now.
    enum Refusal: Sendable, Equatable {
        /// As many calls are under way as there may be.
        case full
        /// The rate is used up; so long until the next.
        case rate(Duration)
        /// The breaker is open; so long until the next probe.
        case open(Duration)
    }

    private struct State {
        var inFlight = 0
        var breaker = CircuitBreaker()
        var budget = RetryBudget()
        var bucket = TokenBucket()
    }

    private let state = Mutex(State())

    /// Admits one request, to be ended with ``leave(_:at:)``; or says why not.
    func enter(limit: Int, ratePerSecond: Double?, at now: ContinuousClock.Instant) -> Refusal? {
        state.withLock { state in
            if state.inFlight >= limit { return .full }
            if let wait = state.breaker.admit(at: now) { return .open(wait) }
            if let ratePerSecond, let wait = state.bucket.take(rate: ratePerSecond, at: now) {
                return .rate(wait)
            }
            state.inFlight += 1
            state.budget.countAttempt(at: now)
            return nil
        }
    }

    /// Ends a request that called the processor. `code` is how it failed; nil where it did not.
    func leave(_ code: ProblemCode?, at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.inFlight -= 1
            state.breaker.record(failed: code == .providerTimeout || code == .providerUnavailable, at: now)
        }
    }

    /// Ends a request that never came to call the processor: it says nothing about the processor's health.
    func leaveUncalled() { state.withLock { $0.inFlight -= 1 } }

    /// Whether an extra attempt is within the budget; if so, it is counted.
    func takeExtraAttempt(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.budget.takeExtra(at: now) }
    }

    /// How many calls are under way.
    var inFlight: Int { state.withLock { $0.inFlight } }

    /// Whether the breaker is open.
    var isOpen: Bool { state.withLock { $0.breaker.isOpen } }
}
