import Provisioning
import Storage
import Testing

@testable import Gateway

@Suite("The guard's and the report's numbers are those of the books")
struct SwitchStatisticsTests {
    private func tally(_ observed: Int, failed: Int) -> StageTally {
        StageTally(observed: observed, succeeded: observed - failed)
    }

    /// Fisher's tea, and values of `scipy.stats.hypergeom.sf`.
    @Test(arguments: [
        (4, 1, 4, 3, 0.242857142857), (100, 2, 100, 10, 0.016520054662), (900, 18, 100, 8, 0.002574338260),
        (1000, 20, 500, 10, 0.569289105573), (50, 0, 50, 50, 9.911653021e-30), (20, 20, 20, 20, 1),
        (30, 0, 30, 0, 1), (1_000_000, 20_000, 500_000, 10_200, 0.050820284),
    ])
    func theExactTestGivesTheTextbooksProbabilities(
        from: Int, failedFrom: Int, to: Int, failedTo: Int, expected: Double
    ) {
        let value = ExactComparison.pValue(from: tally(from, failed: failedFrom), to: tally(to, failed: failedTo))
        #expect(abs(value - expected) <= expected * 1e-5, "\(value)")
    }

    /// Lan and DeMets' spending of O'Brien and Fleming's kind: 0.025 one-sided, five looks, as published.
    @Test func theBoundaryIsThePublishedOne() {
        let quantile = 2.241402727604947
        var boundary = SpendingBoundary { information in
            2 * NormalDistribution.upperTail(quantile / min(information, 1).squareRoot())
        }
        for (look, expected) in [4.8769, 3.3569, 2.6803, 2.2898, 2.0310].enumerated() {
            let level = boundary.next(at: Double(look + 1) / 5)
            let nominal = NormalDistribution.upperTail(expected)
            #expect(abs(level - nominal) <= nominal * 0.01, "look \(look + 1): \(level), not \(nominal)")
        }
    }

    /// At 95 %, worked out apart from this program.
    @Test(arguments: [(98, 100, 0.929988, 0.994498), (0, 10, 0, 0.277533), (10, 10, 0.722467, 1), (1, 1, 0.206549, 1)])
    func theIntervalIsWilsons(succeeded: Int, observed: Int, low: Double, high: Double) throws {
        let interval = try #require(ScoreInterval(StageTally(observed: observed, succeeded: succeeded)))
        #expect(abs(interval.low - low) < 1e-5 && abs(interval.high - high) < 1e-5, "\(interval)")
        #expect(ScoreInterval(StageTally(observed: 0, succeeded: 0)) == nil)
    }

    @Test func theScoreIsPooled() {
        func score(_ from: StageTally, _ to: StageTally) -> Double {
            GuardTest(minAttempts: 1, margin: 0.5).look(
                at: .handoff, from: from, to: to, level: 0, number: 1, at: Timestamp(milliseconds: 0)
            ).score
        }
        #expect(abs(score(tally(500, failed: 10), tally(500, failed: 50)) - 5.3262) < 1e-3)
        #expect(score(tally(500, failed: 0), tally(500, failed: 0)) == 0)
        #expect(score(tally(0, failed: 0), tally(5, failed: 5)) == 0)
    }
}
