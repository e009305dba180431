public import Provisioning
internal import Synchronization

/// Counts what operators watch: few series, each with a bounded number of labels. Names and numbers only, no ids.
public final class Metrics: Sendable {
    private let counts = Mutex(MetricsSnapshot())
    private let inFlight = Atomic<Int>(0)

    /// Nothing counted yet.
    public init() {}

    /// A request is being answered. ``requestEnded()`` must follow.
    public func requestBegan() { inFlight.add(1, ordering: .relaxed) }

    /// Its answer is made.
    public func requestEnded() { inFlight.subtract(1, ordering: .relaxed) }

    /// Counts an answer by its route's template, never by its path.
    public func countRequest(route: String, status: Int) {
        counts.withLock { $0.requests[MetricsSnapshot.Request(route: route, status: status), default: 0] += 1 }
    }

    /// Counts an attempt by how it ended: `handed_off` or the problem's code.
    public func countProvisioning(provider: String, wallet: Wallet, outcome: String) {
        let attempt = MetricsSnapshot.Attempt(provider: provider, wallet: wallet.rawValue, outcome: outcome)
        counts.withLock { $0.attempts[attempt, default: 0] += 1 }
    }

    /// Counts a processor's delivery by what was done with it, or why it was not believed.
    public func countInbound(connection: String, outcome: String) {
        let delivery = MetricsSnapshot.Delivery(connection: connection, outcome: outcome)
        counts.withLock { $0.deliveries[delivery, default: 0] += 1 }
    }

    /// Counts a try to send an event to a destination by how it ended.
    public func countOutgoing(outcome: String) { counts.withLock { $0.outgoing[outcome, default: 0] += 1 } }

    /// Adds a call to a connection's histogram.
    public func observeUpstream(connection: String, _ duration: Duration) {
        counts.withLock { $0.upstream[connection, default: MetricsSnapshot.Histogram()].observe(duration) }
    }

    /// All counts at this moment.
    public var snapshot: MetricsSnapshot {
        var snapshot = counts.withLock { $0 }
        snapshot.inFlight = inFlight.load(ordering: .relaxed)
        return snapshot
    }
}
