import ConfigurationFile
import ProviderKit

/// What the doctor found, as people and machines read it.
struct DoctorReport: Sendable {
    /// The configuration's file, as it was named.
    let path: String
    var findings: [Finding] = []

    init(path: String) { self.path = path }

    /// Adds what a check of the configuration says.
    mutating func add(_ problems: [LocatedProblem]) {
        findings += problems.map { found in
            let place = found.line.map { "line \($0): " } ?? ""
            let keyPath = found.problem.keyPath
            return Finding(
                keyPath.isEmpty ? "configuration" : keyPath, "configuration",
                found.problem.severity == .warning ? .warning : .configuration, place + found.problem.message)
        }
    }

    /// Says that a check of the configuration has nothing to say.
    mutating func addSoundConfiguration() {
        findings.append(Finding("configuration", "configuration", .fine, "\(path) can be used"))
    }

    /// A line for each finding.
    var lines: [String] {
        Table.lines(findings.map { [Self.word($0.verdict), $0.subject, "\($0.check): \($0.words)"] })
    }

    private static func word(_ verdict: Finding.Verdict) -> String {
        switch verdict {
        case .fine: "ok"
        case .note: "note"
        case .warning: "WARNING"
        case .configuration, .unavailable: "PROBLEM"
        }
    }

    private var problems: Int { findings.count { $0.verdict.isProblem } }
    private var warnings: Int { findings.count { $0.verdict == .warning } }

    /// How many there are, in a sentence.
    var summary: String {
        let problems = "\(problems) \(problems == 1 ? "problem" : "problems")"
        return "\(problems), \(warnings) \(warnings == 1 ? "warning" : "warnings")"
    }

    /// All of it as one JSON object.
    var json: String {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.member("well", problems == 0)
            json.member("problems", problems)
            json.member("warnings", warnings)
            json.member(
                "findings",
                array: { json in
                    for finding in findings {
                        json.object { json in
                            json.member("subject", finding.subject)
                            json.member("check", finding.check)
                            json.member("verdict", finding.verdict.rawValue)
                            json.member("words", finding.words)
                        }
                    }
                })
        }
        return json.finishText()
    }

    /// A configuration that cannot be used weighs more than what cannot be reached.
    var exitCode: ExitCode {
        if findings.contains(where: { $0.verdict == .configuration }) { return .configuration }
        return problems == 0 ? .success : .unavailable
    }
}
