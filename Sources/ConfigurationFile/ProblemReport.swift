import ProviderKit
import SecretMemory

/// The problems of one configuration, as people and machines read them.
public struct ProblemReport: Sendable {
    /// The file, as it was named.
    let path: String
    let problems: [LocatedProblem]

    /// A report on the file of that name.
    public init(path: String, problems: [LocatedProblem]) {
        self.path = path
        self.problems = problems
    }

    /// A line for each: `passgate.yaml:12: connections.a.api_key: is missing`.
    public var lines: [String] {
        problems.map { found in
            let place = found.line.map { "\(path):\($0)" } ?? path
            let severity = found.problem.severity == .warning ? "warning: " : ""
            let keyPath = found.problem.keyPath.isEmpty ? "" : "\(found.problem.keyPath): "
            return "\(place): \(severity)\(keyPath)\(found.problem.message)"
        }
    }

    /// How many there are, in a sentence.
    public var summary: String {
        let problems = count(.problem)
        let warnings = count(.warning)
        let tail = warnings == 0 ? "" : ", \(warnings) \(warnings == 1 ? "warning" : "warnings")"
        if problems == 0 { return "\(path) can be used\(tail)" }
        return "\(path) cannot be used: \(problems) \(problems == 1 ? "problem" : "problems")\(tail)"
    }

    /// All of it as one JSON object.
    public var json: String {
        var json = JSONWriter(capacity: 1024)
        json.object { json in
            json.member("valid", count(.problem) == 0)
            json.key("problems")
            json.array { json in
                for found in problems { json.object { found.write(into: &$0) } }
            }
        }
        return json.finishText()
    }

    private func count(_ severity: ConfigurationProblem.Severity) -> Int {
        problems.count { $0.problem.severity == severity }
    }
}

extension LocatedProblem {
    /// Writes the members of the problem's object.
    func write(into json: inout JSONWriter) {
        json.member("severity", problem.severity.rawValue)
        json.member("key_path", problem.keyPath)
        json.member("message", problem.message)
        if let line { json.member("line", line) }
    }
}
