public import ProviderKit
import Synchronization

/// Collects the problems of one reading; each once, in the order of the file.
public final class ProblemList: Sendable {
    private let problems = Mutex<[ConfigurationProblem]>([])

    /// A list without problems.
    public init() {}

    /// Adds a problem, unless it is known already.
    public func add(_ problem: ConfigurationProblem) {
        problems.withLock { if !$0.contains(problem) { $0.append(problem) } }
    }

    /// Adds something that forbids the use.
    public func problem(at keyPath: String, _ message: String) {
        add(ConfigurationProblem(.problem, at: keyPath, message))
    }

    /// Adds something that should be looked at.
    public func warning(at keyPath: String, _ message: String) {
        add(ConfigurationProblem(.warning, at: keyPath, message))
    }

    /// What was found, with the line of each.
    public func located(by lines: LineMap) -> [LocatedProblem] {
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
public struct LocatedProblem: Sendable, Equatable {
    /// What was found.
    public let problem: ConfigurationProblem
    /// The line, or that of the nearest key above where the key itself is missing; nil where there is neither.
    public let line: Int?

    /// Puts a problem on a line.
    public init(problem: ConfigurationProblem, line: Int?) {
        self.problem = problem
        self.line = line
    }
}
