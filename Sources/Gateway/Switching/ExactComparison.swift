import Storage

/// Compares how often two sides fail: Fisher's exact test, one-sided.
///
/// Failures are rare and the new side is small, and there a test by the normal distribution trips far too often: with
/// 900 attempts to 100 and 2 % failures, seven times as often as it says. This one holds its level with every count.
enum ExactComparison {
    /// How probable it is that `to` has so many of the failures, or more, where both sides fail alike.
    static func pValue(from: StageTally, to: StageTally) -> Double {
        let failures = from.failed + to.failed
        let all = from.observed + to.observed
        guard failures > 0, all > failures else { return 1 }
        let lowest = max(0, failures - from.observed)
        let highest = min(failures, to.observed)
        let mode = min(max((failures + 1) * (to.observed + 1) / (all + 2), lowest), highest)
        // Relative to the most probable split: nothing overflows, and no factorial is needed.
        func ratio(_ count: Int) -> Double {
            Double(failures - count) * Double(to.observed - count)
                / (Double(count + 1) * Double(from.observed - failures + count + 1))
        }
        var (total, tail) = (1.0, mode >= to.failed ? 1.0 : 0.0)
        var term = 1.0
        for count in stride(from: mode, to: highest, by: 1) {
            term *= ratio(count)
            if term < Double.leastNormalMagnitude { break }
            total += term
            if count + 1 >= to.failed { tail += term }
        }
        term = 1
        for count in stride(from: mode - 1, through: lowest, by: -1) {
            term /= ratio(count)
            if term < Double.leastNormalMagnitude { break }
            total += term
            if count >= to.failed { tail += term }
        }
        return min(tail / total, 1)
    }
}
