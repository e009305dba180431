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
        let levels = levels()
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in run(levels, &generator) }
    }

    /// The levels of the looks that count, by look: they follow from the counts alone, so every run has the same.
    private func levels() -> [Double?] {
        var boundary = GuardTest.boundary
        var last: GuardLook?
        return (1...length / to).map { look in
            let sides = (tally(from * look, 0), tally(to * look, 0))
            guard test.counts(from: sides.0, to: sides.1, after: last) else { return nil }
            let level = boundary.next(at: GuardTest.information(from: sides.0, to: sides.1))
            last = test.look(at: .handoff, from: sides.0, to: sides.1, level: level, number: 1, at: moment)
            return level
        }
    }

    private var moment: Timestamp { Timestamp(milliseconds: 0) }

    private func run(_ levels: [Double?], _ generator: inout SeededGenerator) -> Int? {
        var failed = (from: 0, to: 0)
        for (index, level) in levels.enumerated() {
            failed.from += Self.count(of: from, failing: failures.from, &generator)
            failed.to += Self.count(of: to, failing: failures.to, &generator)
            guard let level else { continue }
            let look = test.look(
                at: .handoff, from: tally(from * (index + 1), failed.from), to: tally(to * (index + 1), failed.to),
                level: level, number: 1, at: moment)
            if look.isTripped { return to * (index + 1) }
        }
        return nil
    }

    private static func count(of attempts: Int, failing rate: Double, _ generator: inout SeededGenerator) -> Int {
        let limit = UInt64(rate * 0x1p32)
        return (0..<attempts).count { _ in generator.next() >> 32 < limit }
    }

    private func tally(_ observed: Int, _ failed: Int) -> StageTally {
        StageTally(observed: observed, succeeded: observed - failed)
    }
}
