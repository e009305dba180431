import Provisioning

extension IdempotencyRecord {
    /// How long a key is kept after its first use.
    static let lifetimeMilliseconds: Int64 = 24 * 3600 * 1000
    /// How long after its deadline a request that never ended still holds its key.
    static let graceMilliseconds: Int64 = 5000
    /// How long a request without a deadline of its own may hold its key.
    static let claimMilliseconds: Int64 = 60_000

    /// Whether the key may be used as if it had never been.
    func isFree(at now: Timestamp) -> Bool {
        if ending == nil, let deadlineAt {
            return deadlineAt.adding(milliseconds: Self.graceMilliseconds) < now
        }
        return firstUsedAt.adding(milliseconds: Self.lifetimeMilliseconds) <= now
    }
}
