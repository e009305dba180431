public import Provisioning

extension IdempotencyRecord {
    /// How long a key is kept after its first use.
    static let lifetimeMilliseconds: Int64 = 24 * 3600 * 1000
    /// How long after its deadline a request that never ended still holds its key.
    static let graceMilliseconds: Int64 = 5000
    /// How long a request without a deadline of its own may hold its key.
    static let claimMilliseconds: Int64 = 60_000

    /// Whether the key may be used as if it had never been.
    func isFree(at now: Timestamp) -> Bool {
        let isOver = ending != nil || deadlineAt == nil || isAbandoned(at: now)
        return isOver && firstUsedAt.adding(milliseconds: Self.lifetimeMilliseconds) <= now
    }

    /// Whether the request that held the key is over, though nobody wrote how it ended: its instance is gone. The same
    /// request may run again.
    public func isAbandoned(at now: Timestamp) -> Bool {
        guard ending == nil, let deadlineAt else { return false }
        return deadlineAt.adding(milliseconds: Self.graceMilliseconds) < now
    }
}
