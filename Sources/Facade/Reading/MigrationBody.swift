import Gateway
import ProviderKit
import Provisioning
import Storage

/// Reads the bodies of `POST /v1/migrations` and of `POST /v1/migrations/{id}/advance`.
enum MigrationBody {
    static let migration = KnownMembers(
        ["program", "from", "to", "mode", "cohort", "guard", "allow_stranded"],
        advice: [
            "percent": "is not known here; did you mean `/cohort/percent`?",
            "cards": "is not known here; did you mean `/cohort/cards`?",
            "source": "is not known here; did you mean `from`?", "target": "is not known here; did you mean `to`?",
        ])
    static let growth = KnownMembers(["cohort"])
    static let cohort = KnownMembers(["percent", "cards"])
    static let guarding = KnownMembers(["min_attempts", "margin", "action"])

    /// The draft that a body holds.
    ///
    /// - Parameter program: The request's: the body must name the same.
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody, program: String) throws(Problem) -> MigrationDraft {
        let findings = Findings()
        let reader = body.reader(known: migration, findings: findings)
        for name in ["program", "from", "to", "mode", "cohort"] { reader.require(name) }
        if let named = reader.text("program", limit: 64), named != program {
            reader.refuse("program", "other_program", "must be the request's program")
        }
        let from = reader.text("from", limit: 64)
        let to = reader.text("to", limit: 64)
        let mode: StoredMigration.Mode? = reader.word("mode")
        let cohort = readCohort(reader)
        let allowsStranded = reader.flag("allow_stranded") ?? false
        let stop = reader.object("guard", known: guarding).flatMap(readGuard)
        try findings.throwAny()
        guard let from, let to, let mode, let cohort else { throw Problem(.invalidRequest) }
        return MigrationDraft(
            program: program, from: from, to: to, mode: mode, cohort: cohort, guard: stop,
            allowsStranded: allowsStranded)
    }

    /// By what a body lets a cohort grow.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func readGrowth(_ body: RequestBody) throws(Problem) -> MigrationStep.Growth {
        let findings = Findings()
        let reader = body.reader(known: growth, findings: findings)
        reader.require("cohort")
        let cohort = readCohort(reader)
        try findings.throwAny()
        guard let cohort else { throw Problem(.invalidRequest) }
        return cohort
    }

    private static func readCohort(_ reader: ObjectReader) -> MigrationStep.Growth? {
        guard let reader = reader.object("cohort", known: cohort) else { return nil }
        let percent = readPercent(reader)
        let cards = readCards(reader)
        switch (reader.value("percent") == nil, reader.value("cards") == nil) {
        case (true, true):
            reader.findings.add(reader.pointer, "missing", "must have `percent` or `cards`")
            return nil
        case (false, false):
            reader.findings.add(reader.pointer, "conflict", "must have only one of `percent` and `cards`")
            return nil
        case (false, true): return percent.map { .percent(basisPoints: $0) }
        case (true, false): return cards.map { .cards($0) }
        }
    }

    /// A percentage in basis points.
    private static func readPercent(_ reader: ObjectReader) -> Int? {
        guard let value = reader.value("percent") else { return nil }
        guard let number = value.double else {
            reader.refuse("percent", "wrong_type", "must be a number")
            return nil
        }
        guard (0...100).contains(number), hasTwoDecimals(number) else {
            reader.refuse("percent", "out_of_range", "must be from 0 to 100, with two decimals at most")
            return nil
        }
        return Int((number * 100).rounded())
    }

    /// Whether a number from 0 to 100 has two decimals at most, by the shortest text that means it.
    private static func hasTwoDecimals(_ number: Double) -> Bool {
        let parts = String(number).split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].utf8.count <= 2
    }

    private static func readCards(_ reader: ObjectReader) -> [String]? {
        guard let value = reader.value("cards") else { return nil }
        guard let elements = value.elements else {
            reader.refuse("cards", "wrong_type", "must be an array of card ids")
            return nil
        }
        if elements.isEmpty { reader.refuse("cards", "empty", "must name a card at least") }
        return elements.enumerated().compactMap { index, element in
            if let id = element.string, Identifier.isWellFormed(id) { return id }
            reader.findings.add(
                "\(reader.pointer(to: "cards"))/\(index)", "invalid_form",
                "must be a card id: 1 to 64 of A-Z, a-z, 0-9, _ and -")
            return nil
        }
    }

    private static func readGuard(_ reader: ObjectReader) -> StoredMigration.Guard? {
        for name in ["min_attempts", "margin", "action"] { reader.require(name) }
        let action: StoredMigration.Guard.Action? = reader.word("action")
        let minAttempts = readMinAttempts(reader)
        let margin = readMargin(reader)
        guard let action, let minAttempts, let margin else { return nil }
        return StoredMigration.Guard(minAttempts: minAttempts, margin: margin, action: action)
    }

    private static func readMinAttempts(_ reader: ObjectReader) -> Int? {
        guard let value = reader.value("min_attempts") else { return nil }
        if let number = value.integer, (1...1_000_000_000).contains(number) { return number }
        reader.refuse("min_attempts", "out_of_range", "must be a whole number from 1 on")
        return nil
    }

    private static func readMargin(_ reader: ObjectReader) -> Double? {
        guard let value = reader.value("margin") else { return nil }
        if let number = value.double, number > 0, number < 1 { return number }
        reader.refuse("margin", "out_of_range", "must be a number between 0 and 1, such as 0.05")
        return nil
    }
}
