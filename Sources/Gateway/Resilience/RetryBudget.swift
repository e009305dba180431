/// Extra attempts may be a tenth of the attempts in the last minute, and ten more.
struct RetryBudget: Sendable {
    private struct Second: Sendable {
        var index: Int64
        var attempts = 0
        var extra = 0
    }

    private var seconds: [Second] = []
    private let origin = ContinuousClock.now

    /// Counts a request's first attempt.
    mutating func countAttempt(at now: ContinuousClock.Instant) {
        advance(to: now)
        seconds[seconds.count - 1].attempts += 1
    }

    /// Forgets a first attempt that was not made after all.
    mutating func uncountAttempt() {
        guard let index = seconds.lastIndex(where: { $0.attempts > 0 }) else { return }
        seconds[index].attempts -= 1
    }

    /// Whether one more attempt is within the budget; if so, it is counted.
    mutating func takeExtra(at now: ContinuousClock.Instant) -> Bool {
        advance(to: now)
        let attempts = seconds.reduce(0) { $0 + $1.attempts }
        let extra = seconds.reduce(0) { $0 + $1.extra }
        guard extra < attempts / 10 + 10 else { return false }
        seconds[seconds.count - 1].extra += 1
        return true
    }

    /// How many extra attempts are left.
    mutating func left(at now: ContinuousClock.Instant) -> Int {
        advance(to: now)
        let attempts = seconds.reduce(0) { $0 + $1.attempts }
        let extra = seconds.reduce(0) { $0 + $1.extra }
        return max(attempts / 10 + 10 - extra, 0)
    }

    private mutating func advance(to now: ContinuousClock.Instant) {
        let index = (now - origin).components.seconds
        seconds.removeAll { $0.index <= index - 60 }
        if seconds.last?.index != index { seconds.append(Second(index: index)) }
    }
}
