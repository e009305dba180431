public import Provisioning

/// What became of an import.
public struct CardImportReport: Sendable, Equatable {
    /// How many faults are listed.
    public static let listLimit = 1000

    /// How many cards are new.
    public internal(set) var imported = 0
    /// How many cards were there before, changed or not.
    public internal(set) var updated = 0
    /// How many lines are no cards, or cards that cannot be stored.
    public internal(set) var failed = 0
    /// What is wrong with them, in the order of the lines: the first thousand.
    public internal(set) var faults: [Fault] = []

    /// Nothing yet.
    public init() {}

    /// How many lines have been taken.
    public var lines: Int { imported + updated + failed }

    /// A line that was not taken.
    public struct Fault: Sendable, Equatable {
        /// Its number, from 1.
        public let line: Int
        /// The problem's code.
        public let code: ProblemCode
        /// What is wrong, in one sentence that quotes no value.
        public let detail: String
    }

    /// Takes what became of a part in.
    mutating func add(_ part: CardImportReport) {
        imported += part.imported
        updated += part.updated
        failed += part.failed
        faults += part.faults.prefix(max(Self.listLimit - faults.count, 0))
    }

    /// Takes a line in that was refused.
    mutating func add(_ problem: Problem, line: Int) {
        failed += 1
        if faults.count < Self.listLimit {
            faults.append(Fault(line: line, code: problem.code, detail: Self.sentence(problem)))
        }
    }

    /// All members at fault in one sentence, the first few of many.
    private static func sentence(_ problem: Problem) -> String {
        let members = problem.errors.prefix(4).map { "\($0.pointer.isEmpty ? "the line" : $0.pointer) \($0.detail)" }
        if members.isEmpty { return problem.detail ?? problem.code.entry.meaning }
        let rest = problem.errors.count - members.count
        let sentence = members.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
        return sentence.hasSuffix("?") ? sentence : sentence + "."
    }
}
