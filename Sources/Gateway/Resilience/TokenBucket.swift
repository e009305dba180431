/// Lets through so many a second, with a second's worth saved up.
struct TokenBucket: Sendable {
    private var tokens: Double?
    private var filledAt = ContinuousClock.now

    /// Nil where one may go; else how long until the next.
    ///
    /// - Parameter leavesHalf: Whether half of what may be saved up is left to those who cannot wait.
    mutating func take(rate: Double, leavesHalf: Bool = false, at now: ContinuousClock.Instant) -> Duration? {
        let burst = max(rate, 1)
        let passed = (now - filledAt) / .seconds(1)
        let filled = min(burst, (tokens ?? burst) + max(passed, 0) * rate)
        filledAt = now
        let needed = leavesHalf && burst >= 2 ? 1 + burst / 2 : 1
        guard filled >= needed else {
            tokens = filled
            return .seconds((needed - filled) / rate)
        }
        tokens = filled - 1
        return nil
    }

    /// Takes one back that did not go after all. More than the burst is never let through at once.
    mutating func giveBack() { tokens = tokens.map { $0 + 1 } }
}
