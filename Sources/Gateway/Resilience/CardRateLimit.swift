import Storage
import Synchronization

/// Counts each card's attempts in the last minute. Per instance: several instances allow as many times the limit.
final class CardRateLimit: Sendable {
    private struct Window {
        var moments: [ContinuousClock.Instant] = []
    }
    private let windows = Mutex<[CardKey: Window]>([:])

    /// Counts an attempt; or, where the card has had its number, says how long until the next one.
    func admit(_ card: CardKey, limit: Int, at now: ContinuousClock.Instant) -> Duration? {
        windows.withLock { windows in
            if windows.count > 100_000 {
                windows = windows.filter { now - ($0.value.moments.last ?? now) < .seconds(60) }
            }
            var window = windows[card] ?? Window()
            window.moments.removeAll { now - $0 >= .seconds(60) }
            guard window.moments.count < limit else {
                windows[card] = window
                return window.moments.first.map { .seconds(60) - (now - $0) }
            }
            window.moments.append(now)
            windows[card] = window
            return nil
        }
    }
}
