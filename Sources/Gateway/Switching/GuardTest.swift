import Provisioning
import Storage

/// Decides whether a migration's new side fails more often than the old one: a pure function of counts.
///
/// **The rule.** Looks come every five minutes. Of each stage, a look trips the guard where so many failures at `to`, or
/// more, would come by chance less often than the look's level, *and* `to` fails more often by at least the margin. The
/// margin is the least difference that matters: a difference that is certain and smaller does not trip, and none trips
/// by its size alone.
///
/// **The split of α = 0.01.** Each of the two stages spends 0.01 over an unbounded run, so that a migration between two
/// sides that are alike is stopped in fewer than 2 of 100 cases, however long it runs. By the time that there are `n`
/// attempts a side (the harmonic mean of both), `α n² / (n² + 400²)` is spent: little while a sample is small and proves
/// little, half of it at 400, and always something left. ``SpendingBoundary`` turns that into the level of each look.
///
/// **When a look counts.** A sample that is too small, or has grown by less than a twentieth since the last look that
/// counted, is let pass: looking at nearly the same again would spend error and find nothing. Whether a look counts
/// follows from how many observations there are, and never from how they ended.
struct GuardTest: Sendable {
    /// How often alike sides may trip a stage, over the whole run.
    static let alpha = 0.01
    /// At how many attempts a side half of the error is spent.
    static let halfway = 400.0
    /// By how much the information must grow from one look to the next.
    static let growth = 1.05

    /// How many observations each side must have.
    let minAttempts: Int
    /// By how much more `to` must fail.
    let margin: Double

    /// A boundary that has spent nothing.
    static var boundary: SpendingBoundary {
        SpendingBoundary { information in
            let attempts = 2 * information
            return alpha * attempts * attempts / (attempts * attempts + halfway * halfway)
        }
    }

    /// How much two samples tell of the difference: half of their harmonic mean.
    static func information(from: StageTally, to: StageTally) -> Double {
        let (left, right) = (Double(from.observed), Double(to.observed))
        return left + right == 0 ? 0 : left * right / (left + right)
    }

    /// Whether a look at these samples counts.
    func counts(from: StageTally, to: StageTally, after last: GuardLook?) -> Bool {
        guard min(from.observed, to.observed) >= max(minAttempts, 1) else { return false }
        guard let last else { return true }
        return Self.information(from: from, to: to)
            >= Self.information(from: last.from, to: last.to) * Self.growth
    }

    /// Looks at a stage; nil where the look does not count.
    ///
    /// - Parameter earlier: The stage's looks that counted, in order.
    func look(
        at stage: SwitchStage, from: StageTally, to: StageTally, after earlier: [GuardLook], at moment: Timestamp
    ) -> GuardLook? {
        guard counts(from: from, to: to, after: earlier.last) else { return nil }
        var boundary = Self.boundary
        for look in earlier { _ = boundary.next(at: Self.information(from: look.from, to: look.to)) }
        let level = boundary.next(at: Self.information(from: from, to: to))
        return look(at: stage, from: from, to: to, level: level, number: earlier.count + 1, at: moment)
    }

    /// The same with a level that is known.
    func look(
        at stage: SwitchStage, from: StageTally, to: StageTally, level: Double, number: Int, at moment: Timestamp
    ) -> GuardLook {
        let pValue = ExactComparison.pValue(from: from, to: to)
        return GuardLook(
            stage: stage, number: number, at: moment, from: from, to: to, pValue: pValue, level: level,
            isTripped: pValue < level && to.failureRate - from.failureRate >= margin)
    }
}
