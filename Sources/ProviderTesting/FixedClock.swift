public import ProviderKit
public import Provisioning
import Synchronization

/// A clock that stands still until it is moved.
public final class FixedClock: WallClock {
    private let moment: Mutex<Timestamp>

    /// Starts at a moment: 2026-11-30T12:00:00Z unless told.
    public init(_ moment: Timestamp = Timestamp(seconds: 1_796_040_000)) { self.moment = Mutex(moment) }

    /// The moment now.
    public var now: Timestamp { moment.withLock { $0 } }

    /// Moves the clock.
    public func advance(milliseconds: Int64) {
        moment.withLock { $0 = $0.adding(milliseconds: milliseconds) }
    }
}
