import Provisioning
import Storage

@testable import Gateway

/// Runs of a switch: so many attempts come to each side between two looks, and fail by chance.
struct GuardSimulation {
    /// How many attempts come to the old side between two looks.
    var from: Int
    /// How many come to the new side.
    var to: Int
    /// How many attempts the new side has in all.
    var length: Int
    /// The shares that fail.
    var failures: (from: Double, to: Double)
    var test = GuardTest(minAttempts: 50, margin: 0.03)

    /// At which attempt of the new side each run trips; nil where it does not.
    func runs(_ count: Int, seed: UInt64) -> [Int?] {
        let looks = looks()
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in run(looks, &generator) }
    }

    /// A look that counts, and how many failures come to each side between the one before and it.
    private struct Look {
        let number: Int
        let level: Double
        let from: BinomialDraw
        let to: BinomialDraw
    }

    /// The looks that count: which, and their levels, follow from the counts alone, so every run has the same.
    private func looks() -> [Look] {
        var boundary = GuardTest.boundary
        var last: GuardLook?
        var (before, looks) = (0, [Look]())
        for number in 1...length / to {
            let sides = (tally(from * number, 0), tally(to * number, 0))
            guard test.counts(from: sides.0, to: sides.1, after: last) else { continue }
            let level = boundary.next(at: GuardTest.information(from: sides.0, to: sides.1))
            last = test.look(at: .handoff, from: sides.0, to: sides.1, level: level, number: 1, at: moment)
            looks.append(
                Look(
                    number: number, level: level,
                    from: BinomialDraw(count: from * (number - before), rate: failures.from),
                    to: BinomialDraw(count: to * (number - before), rate: failures.to)))
            before = number
        }
        return looks
    }

    private var moment: Timestamp { Timestamp(milliseconds: 0) }

    private func run(_ looks: [Look], _ generator: inout SeededGenerator) -> Int? {
        var failed = (from: 0, to: 0)
        for look in looks {
            failed.from += look.from.draw(&generator)
            failed.to += look.to.draw(&generator)
            let sides = (tally(from * look.number, failed.from), tally(to * look.number, failed.to))
            // What is not worse by the margin never trips: its probability need not be worked out.
            guard sides.1.failureRate - sides.0.failureRate >= test.margin else { continue }
            let result = test.look(
                at: .handoff, from: sides.0, to: sides.1, level: look.level, number: 1, at: moment)
            if result.isTripped { return to * look.number }
        }
        return nil
    }

    private func tally(_ observed: Int, _ failed: Int) -> StageTally {
        StageTally(observed: observed, succeeded: observed - failed)
    }
}

/// Draws how many of so many attempts fail, each by chance.
struct BinomialDraw {
    /// The probability of so many or fewer.
    private var sums: [Double] = []

    init(count: Int, rate: Double) {
        // Relative to the most probable number, so that nothing underflows.
        let mode = min(Int(Double(count + 1) * rate), count)
        var terms = [Double](repeating: 0, count: count + 1)
        terms[mode] = 1
        let odds = rate / (1 - rate)
        for number in stride(from: mode + 1, through: count, by: 1) {
            terms[number] = terms[number - 1] * Double(count - number + 1) / Double(number) * odds
        }
        for number in stride(from: mode - 1, through: 0, by: -1) {
            terms[number] = terms[number + 1] * Double(number + 1) / Double(count - number) / odds
        }
        let total = terms.reduce(0, +)
        var sum = 0.0
        sums = terms.map { term in
            sum += term / total
            return sum
        }
    }

    func draw(_ generator: inout SeededGenerator) -> Int {
        let chance = Double(generator.next() >> 11) * 0x1p-53
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > chance { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
