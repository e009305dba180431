internal import Synchronization

/// Measures a store's changes, for operators: how many share a sync, how long that takes, and how long they wait for it.
public final class StoreMeter: Sendable {
    /// What was measured.
    public struct Figures: Sendable, Equatable {
        /// How many changes each commit held.
        public var groupSize = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
        /// How long each commit took, its changes included, in seconds.
        public var commit = Histogram(
            bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5])
        /// How long each change that somebody waits for stood in the queue before its commit began, in seconds.
        public var queue = Histogram(
            bounds: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5])

        /// Nothing measured yet.
        public init() {}
    }

    private let latest = Mutex(Figures())

    /// Nothing measured yet.
    public init() {}

    /// What was measured so far.
    public var figures: Figures { latest.withLock { $0 } }

    /// Adds a commit.
    ///
    /// - Parameters:
    ///   - size: How many changes it held.
    ///   - waits: How long those that somebody waits for stood in the queue.
    ///   - duration: How long it took.
    public func note(group size: Int, waits: [Duration], took duration: Duration) {
        latest.withLock { figures in
            figures.groupSize.observe(Double(size))
            figures.commit.observe(duration)
            for wait in waits { figures.queue.observe(wait) }
        }
    }
}
