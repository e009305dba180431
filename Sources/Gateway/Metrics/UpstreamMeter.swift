internal import Synchronization

/// Adds up the time that one request spent waiting for processors.
public final class UpstreamMeter: Sendable {
    /// The meter of the request that the task serves.
    @TaskLocal public static var current: UpstreamMeter?

    private let nanoseconds = Atomic<Int64>(0)

    /// A meter at zero.
    public init() {}

    /// The time so far. Calls that ran side by side each count.
    public var total: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }

    func add(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        nanoseconds.add(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, ordering: .relaxed)
    }
}
