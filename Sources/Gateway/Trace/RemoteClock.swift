import ProviderKit
public import Provisioning
internal import Synchronization

/// How far a processor's clock is from ours, by the `Date` of its answers. Signed tokens and signatures with a time in them
/// fail where the two are far apart.
public final class RemoteClock: Sendable {
    /// One look at the processor's clock.
    public struct Skew: Sendable, Equatable {
        /// By how many seconds it is ahead of ours; less than 0 where it is behind. Good to about a second.
        public let seconds: Double
        /// When that was.
        public let measuredAt: Timestamp
    }

    /// An answer is looked at no more often.
    private static let intervalMilliseconds: Int64 = 5_000

    private let latest = Mutex<Skew?>(nil)

    /// Nothing known yet.
    public init() {}

    /// The last look; nil before the first.
    public var skew: Skew? { latest.withLock { $0 } }

    /// Compares an answer's date with the time at which it came. A date stands for the middle of its second.
    func look(at response: UpstreamResponse, now: Timestamp) {
        latest.withLock { latest in
            if let latest, abs(now.milliseconds - latest.measuredAt.milliseconds) < Self.intervalMilliseconds { return }
            guard response.header("age") == nil, let date = response.header("date").flatMap(HTTPDate.read) else {
                return
            }
            let ahead = date.milliseconds + 500 - now.milliseconds
            latest = Skew(seconds: Double(ahead) / 1000, measuredAt: now)
        }
    }
}
