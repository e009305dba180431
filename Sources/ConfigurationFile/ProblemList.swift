import ProviderKit
import Synchronization

/// Collects the problems of one reading; each once, in the order of the file.
final class ProblemList: Sendable {
    private let problems = Mutex<[ConfigurationProblem]>([])

    func add(_ problem: ConfigurationProblem) {
        problems.withLock { if !$0.contains(problem) { $0.append(problem) } }
    }

    func problem(at keyPath: String, _ message: String) {
        add(ConfigurationProblem(.problem, at: keyPath, message))
    }

    func warning(at keyPath: String, _ message: String) {
        add(ConfigurationProblem(.warning, at: keyPath, message))
    }

    /// What was found, with the line of each.
    func located(by lines: LineMap) -> [LocatedProblem] {
        problems.withLock { $0 }.enumerated()
            .map {
                (
                    offset: $0.offset,
                    found: LocatedProblem(problem: $0.element, line: lines.line(of: $0.element.keyPath))
                )
            }
            .sorted { ($0.found.line ?? 0, $0.offset) < ($1.found.line ?? 0, $1.offset) }
            .map(\.found)
    }
}

/// A problem and the line that it is on.
struct LocatedProblem: Sendable, Equatable {
    let problem: ConfigurationProblem
    /// The line, or that of the nearest key above where the key itself is missing; nil where there is neither.
    let line: Int?
}
