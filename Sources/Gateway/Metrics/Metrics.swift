public import Provisioning
import Storage
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
    ///
    /// - Parameter added: How long it took beside its calls to processors.
    public func countRequest(route: String, method: String, status: Int, added: Duration) {
        let request = MetricsSnapshot.Request(route: route, method: method, status: status)
        counts.withLock { counts in
            counts.requests[request, default: 0] += 1
            counts.added[route, default: Histogram(bounds: MetricsSnapshot.addedBounds)].observe(added)
        }
    }

    /// Counts an attempt by how it ended: `handed_off`, `caller_left`, or the problem's code.
    ///
    /// - Parameter isUnknown: Whether nobody knows what became of it.
    public func countProvisioning(provider: String, wallet: Wallet, outcome: String, isUnknown: Bool) {
        let attempt = MetricsSnapshot.Attempt(provider: provider, wallet: wallet.rawValue, outcome: outcome)
        counts.withLock { counts in
            counts.attempts[attempt, default: 0] += 1
            if isUnknown { counts.unknown[provider, default: 0] += 1 }
        }
    }

    /// Counts a request that was not let through to its processor: `breaker_open`, `full` or `rate`.
    public func countRefusal(connection: String, reason: String) {
        let refusal = MetricsSnapshot.Refusal(connection: connection, reason: reason)
        counts.withLock { $0.refusals[refusal, default: 0] += 1 }
    }

    /// Counts a processor's delivery by what was done with it, or why it was not believed.
    public func countInbound(connection: String, outcome: String) {
        let delivery = MetricsSnapshot.Delivery(connection: connection, outcome: outcome)
        counts.withLock { $0.deliveries[delivery, default: 0] += 1 }
    }

    /// Counts a try to send an event to a destination by how it ended.
    public func countOutgoing(outcome: String) { counts.withLock { $0.outgoing[outcome, default: 0] += 1 } }

    /// Counts that a guard stopped a migration.
    public func countGuardStop(program: String) { counts.withLock { $0.guardStops[program, default: 0] += 1 } }

    /// Notes that the ends of all audit trails were logged.
    public func noteAuditHeads(at moment: Timestamp) { counts.withLock { $0.auditHeadsAt = moment } }

    /// Adds a call to a connection's histogram.
    public func observeUpstream(connection: String, _ duration: Duration) {
        counts.withLock { counts in
            counts.upstream[connection, default: Histogram(bounds: MetricsSnapshot.upstreamBounds)].observe(duration)
        }
    }

    /// All counts at this moment.
    public var snapshot: MetricsSnapshot {
        var snapshot = counts.withLock { $0 }
        snapshot.inFlight = inFlight.load(ordering: .relaxed)
        return snapshot
    }
}
