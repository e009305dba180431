import Provisioning
import Synchronization

/// Keeps one connection from being overrun: calls under way, calls a second, extra attempts, and a circuit breaker.
///
/// Per instance: several instances on one store each count their own.
final class ConnectionGuard: Sendable {
    /// Why a request may not go to the connection now.
    enum Refusal: Error, Sendable, Equatable {
        /// As many calls are under way as there may be.
        case full
        /// The rate is used up; so long until the next.
        case rate(Duration)
        /// The breaker is open; so long until the next probe.
        case open(Duration)

        /// What counts call it.
        var word: String {
            switch self {
            case .full: "full"
            case .rate: "rate"
            case .open: "breaker_open"
            }
        }
    }

    private struct State {
        var inFlight = 0
        var breaker = CircuitBreaker()
        var budget = RetryBudget()
        var bucket = TokenBucket()
        var background = BackgroundShare()
        /// Whether the last call failed; nil before the first.
        var hasFailed: Bool?
    }

    private let state = Mutex(State())

    /// Admits one request, and gives the pass with which it leaves again.
    ///
    /// - Parameter isRead: Whether it only asks: then it has the background's share of the rate, behind provisionings.
    /// - Throws: Why not; then nothing is used up, neither the rate nor the breaker's probe.
    func enter(limit: Int, ratePerSecond: Double?, isRead: Bool = false, at now: ContinuousClock.Instant)
        throws(Refusal) -> ConnectionPass
    {
        let result = state.withLock { state -> Result<CircuitBreaker.Probe?, Refusal> in
            if state.inFlight >= limit { return .failure(.full) }
            if let wait = state.breaker.wait(at: now) { return .failure(.open(wait)) }
            let wait = ratePerSecond.flatMap { rate in
                isRead
                    ? state.background.takeRate(rate, from: &state.bucket, at: now)
                    : state.bucket.take(rate: rate, at: now)
            }
            if let wait { return .failure(.rate(wait)) }
            state.inFlight += 1
            state.budget.countAttempt(at: now)
            return .success(state.breaker.admit(at: now))
        }
        return ConnectionPass(gate: self, probe: try result.get(), isRead: isRead, ratePerSecond: ratePerSecond)
    }

    /// Admits one call that can wait, to be ended with ``leaveBackground()``: within its share, and never as the
    /// breaker's probe. What comes of it says nothing to the breaker: another call than the one that counts was made.
    ///
    /// - Throws: Why not; then nothing is used up.
    func enterBackground(limit: Int, ratePerSecond: Double?, at now: ContinuousClock.Instant) throws(Refusal) {
        let refusal = state.withLock { state -> Refusal? in
            if state.breaker.isOpen { return .open(state.breaker.wait(at: now) ?? .seconds(1)) }
            if state.inFlight >= limit || !state.background.hasRoom(in: limit) { return .full }
            if let wait = state.background.take(ratePerSecond: ratePerSecond, from: &state.bucket, at: now) {
                return .rate(wait)
            }
            state.inFlight += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Ends a call that could wait.
    func leaveBackground() {
        state.withLock { state in
            state.inFlight -= 1
            state.background.leave()
        }
    }

    /// Ends a request that called the processor. `code` is how it failed; nil where it did not.
    fileprivate func leave(_ code: ProblemCode?, at now: ContinuousClock.Instant) {
        state.withLock { state in
            let hasFailed = code == .providerTimeout || code == .providerUnavailable
            state.inFlight -= 1
            state.hasFailed = hasFailed || code == .providerUnauthorized
            state.breaker.record(failed: hasFailed, at: now)
        }
    }

    fileprivate func leaveUncalled(_ probe: CircuitBreaker.Probe?, isRead: Bool) {
        state.withLock { state in
            state.inFlight -= 1
            state.bucket.giveBack()
            if isRead { state.background.giveBack() }
            state.budget.uncountAttempt()
            if let probe { state.breaker.takeBack(probe) }
        }
    }

    fileprivate func takeExtraAttempt(ratePerSecond: Double?, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            if let ratePerSecond, state.bucket.take(rate: ratePerSecond, at: now) != nil { return false }
            if state.budget.takeExtra(at: now) { return true }
            state.bucket.giveBack()
            return false
        }
    }

    /// How many calls are under way.
    var inFlight: Int { state.withLock { $0.inFlight } }

    /// How many extra attempts are left.
    var budgetLeft: Int { state.withLock { $0.budget.left(at: .now) } }

    /// Whether the breaker is open.
    var isOpen: Bool { state.withLock { $0.breaker.isOpen } }

    /// How the connection is, by the calls that were made.
    var health: ConnectionHealth {
        state.withLock { state in
            if state.breaker.isOpen { return .leftAlone }
            return state.hasFailed.map { $0 ? .failing : .ok } ?? .unknown
        }
    }
}

/// One request's leave to call a connection. It is given back once, in one of two ways.
struct ConnectionPass: Sendable {
    fileprivate let gate: ConnectionGuard
    /// The breaker's probe, where the request is it.
    fileprivate let probe: CircuitBreaker.Probe?
    fileprivate let isRead: Bool
    fileprivate let ratePerSecond: Double?

    /// Ends a request that called the processor. `code` is how it failed; nil where it did not.
    func leave(_ code: ProblemCode?, at now: ContinuousClock.Instant) { gate.leave(code, at: now) }

    /// Ends a request that never came to call the processor: it says nothing about the processor's health, and what it
    /// took of the rate, of the extra attempts and of the breaker is there for the next.
    func leaveUncalled() { gate.leaveUncalled(probe, isRead: isRead) }

    /// Whether an extra attempt is within the budget and the rate; if so, it is counted.
    func takeExtraAttempt(at now: ContinuousClock.Instant) -> Bool {
        gate.takeExtraAttempt(ratePerSecond: ratePerSecond, at: now)
    }
}
