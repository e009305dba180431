public import ProviderConformance

/// Every promise that a provider makes, and what came of checking it.
public struct ConformanceRun: Sendable {
    /// What came of one promise.
    public enum Verdict: Sendable, Equatable {
        /// It is kept.
        case kept
        /// It is not kept, or could not be checked because something broke.
        case broken(String)
        /// It was not checked, for that reason.
        case notRun(String)
    }

    /// One promise.
    public struct Line: Sendable {
        /// The promise as a sentence.
        public let promise: String
        /// What came of it.
        public let verdict: Verdict
    }

    /// The promises in their order.
    public private(set) var lines: [Line] = []

    /// Checks every promise, some at once, because many wait for a deadline. Tells of each in their order, as soon as it
    /// and those before it are known.
    public init<Harness: ProviderHarness>(
        _ harness: Harness, atOnce width: Int = 8, tell: (Line) -> Void = { _ in }
    ) async {
        let requirements = Requirement<Harness>.all
        await withTaskGroup(of: (Int, Line).self) { group in
            var waiting: [Int: Line] = [:]
            var begun = 0
            func begin() {
                guard begun < requirements.count else { return }
                group.addTask { [index = begun] in
                    let requirement = requirements[index]
                    let verdict = await Self.verdict(of: requirement, by: harness)
                    return (index, Line(promise: requirement.description, verdict: verdict))
                }
                begun += 1
            }
            for _ in 0..<width { begin() }
            while let (index, line) = await group.next() {
                begin()
                waiting[index] = line
                while let line = waiting.removeValue(forKey: lines.count) {
                    lines.append(line)
                    tell(line)
                }
            }
        }
    }

    /// Whether no promise is broken and at least one was checked.
    public var isGood: Bool { broken.isEmpty && kept > 0 }

    /// How many promises are kept.
    public var kept: Int { lines.count { $0.verdict == .kept } }

    /// The promises that are broken.
    public var broken: [Line] { lines.filter { if case .broken = $0.verdict { true } else { false } } }

    /// The promises that were not checked.
    public var notRun: [Line] { lines.filter { if case .notRun = $0.verdict { true } else { false } } }

    private static func verdict<Harness>(of requirement: Requirement<Harness>, by harness: Harness) async -> Verdict {
        do {
            switch try await requirement.verify(harness) {
            case .kept: return .kept
            case .notRun(let reason): return .notRun(reason)
            }
        } catch {
            return .broken("\(error)")
        }
    }
}
