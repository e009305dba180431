import Storage
import Synchronization

/// Overviews that were made lately. One of 100,000 attempts takes a reading thread up to a second on a busy machine, and
/// whoever looks at the console asks every few seconds.
final class OverviewCache: Sendable {
    /// What an overview is of.
    struct Key: Hashable {
        let program: String
        let milliseconds: Int64

        /// How long it is good: the longer it looks back, the less a moment changes.
        var lifetime: Duration { .milliseconds(min(max(milliseconds / 8640, 3_000), 60_000)) }
    }

    private let kept = Mutex<[Key: (overview: AttemptOverview, madeAt: ContinuousClock.Instant)]>([:])

    /// The overview; nil where there is none that is fresh.
    func overview(_ key: Key, at now: ContinuousClock.Instant) -> AttemptOverview? {
        kept.withLock { kept in
            kept = kept.filter { now - $0.value.madeAt < $0.key.lifetime }
            return kept[key]?.overview
        }
    }

    /// Keeps an overview that was asked for at that moment.
    func keep(_ overview: AttemptOverview, as key: Key, madeAt: ContinuousClock.Instant) {
        kept.withLock { $0[key] = (overview, madeAt) }
    }
}
