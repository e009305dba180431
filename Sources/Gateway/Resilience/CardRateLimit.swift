import Storage
import Synchronization

/// Counts each card's attempts in the last minute. Per instance: several instances allow as many times the limit.
///
/// Cards are kept by the minute in which they had their last attempt; the minute before the last is dropped whole. So an
/// attempt costs the same however many cards there are.
final class CardRateLimit: Sendable {
    private static let minute: Duration = .seconds(60)

    /// One card's attempts, the oldest first. Those before `first` are more than a minute old.
    private struct Window {
        var moments: [ContinuousClock.Instant] = []
        var first = 0

        mutating func drop(before moment: ContinuousClock.Instant) {
            while first < moments.count, moments[first] <= moment { first += 1 }
            guard first * 2 > moments.count else { return }
            moments.removeFirst(first)
            first = 0
        }
    }

    private struct State {
        var current: [CardKey: Window] = [:]
        var before: [CardKey: Window] = [:]
        var began: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// How many cards are kept.
    var count: Int { state.withLock { $0.current.count + $0.before.count } }

    /// Counts an attempt; or, where the card has had its number, says how long until the next one.
    func admit(_ card: CardKey, limit: Int, at now: ContinuousClock.Instant) -> Duration? {
        // What is dropped is freed when this returns, not while the lock is held.
        let dropped: [CardKey: Window]
        let wait: Duration?
        (dropped, wait) = state.withLock { state in
            let dropped = Self.turn(&state, at: now)
            var window = state.current.removeValue(forKey: card) ?? state.before.removeValue(forKey: card) ?? Window()
            window.drop(before: now - Self.minute)
            var wait: Duration?
            if window.moments.count - window.first < limit {
                window.moments.append(now)
            } else {
                wait = window.moments.isEmpty ? Self.minute : Self.minute - (now - window.moments[window.first])
            }
            state.current[card] = window
            return (dropped, wait)
        }
        _ = dropped
        return wait
    }

    /// Begins another minute where the current one is over, and answers what nobody needs any more.
    private static func turn(_ state: inout State, at now: ContinuousClock.Instant) -> [CardKey: Window] {
        guard let began = state.began else {
            state.began = now
            return [:]
        }
        guard now - began >= minute else { return [:] }
        let dropped = state.before
        state.before = state.current
        state.current = [:]
        state.began = now
        return dropped
    }
}
