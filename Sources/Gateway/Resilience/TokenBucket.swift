/// Lets through so many a second, with a second's worth saved up.
struct TokenBucket: Sendable {
    private var tokens: Double?
    private var filledAt = ContinuousClock.now

    /// Nil where one may go; else how long until the next.
    mutating func take(rate: Double, at now: ContinuousClock.Instant) -> Duration? {
        let burst = max(rate, 1)
        let passed = (now - filledAt) / .seconds(1)
        let filled = min(burst, (tokens ?? burst) + max(passed, 0) * rate)
        filledAt = now
        guard filled >= 1 else {
            tokens = filled
            return .seconds((1 - filled) / rate)
        }
        tokens = filled - 1
        return nil
    }

    /// Takes one back that did not go after all. More than the burst is never let through at once.
    mutating func giveBack() { tokens = tokens.map { $0 + 1 } }
}
