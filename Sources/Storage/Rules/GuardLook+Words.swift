import Provisioning

extension GuardLook {
    /// Why the guard stopped the migration, in one line.
    var words: String {
        "At the stage \(stage.rawValue), \(Self.words(to)) failed at the new side and \(Self.words(from)) at the old: "
            + "p = \(Self.words(pValue)), below \(Self.words(level)) at look \(number)."
    }

    /// What an event tells of it.
    var eventMembers: [StoredEvent.Member] {
        [
            .init("stage", stage.rawValue), .init("look", String(number)),
            .init("from_observed", String(from.observed)),
            .init("from_failed", String(from.failed)), .init("from_failure_rate", Self.share(from)),
            .init("to_observed", String(to.observed)), .init("to_failed", String(to.failed)),
            .init("to_failure_rate", Self.share(to)), .init("score", Self.tenths(score)),
            .init("p_value", Self.words(pValue)),
            .init("level", Self.words(level)),
        ]
    }

    private static func words(_ tally: StageTally) -> String { "\(tally.failed) of \(tally.observed)" }

    /// A share with four decimals.
    private static func share(_ tally: StageTally) -> String {
        let digits = String(10_000 + Int((tally.failureRate * 10_000).rounded()))
        return digits.hasPrefix("2") ? "1.0000" : "0.\(digits.dropFirst())"
    }

    /// A number with one decimal.
    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// A probability with three digits that count.
    static func words(_ probability: Double) -> String {
        guard probability > 0, probability < 1 else { return probability <= 0 ? "0" : "1" }
        var (value, exponent) = (probability, 0)
        while value < 1 {
            value *= 10
            exponent -= 1
        }
        let digits = Int((value * 100).rounded())
        return digits >= 1000
            ? "1.00e\(exponent + 1)" : "\(digits / 100).\(digits % 100 < 10 ? "0" : "")\(digits % 100)e\(exponent)"
    }
}
