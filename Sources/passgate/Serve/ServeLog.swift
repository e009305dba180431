import ConfigurationFile
import EventLoop
import Facade
import ProviderKit
import Provisioning
import SecretMemory

/// What `serve` says while it runs: a line for each request and each event, JSON for machines or words for a terminal.
///
/// Lines are written on a thread of their own. No line holds a path, a header, a body or a secret.
struct ServeLog: Sendable {
    /// How bad an event is.
    enum Level: String, Sendable {
        case info
        case warning
        case error
    }

    /// A member of an event.
    enum Value: Sendable, Equatable, CustomStringConvertible {
        case text(String)
        case number(Int)

        var description: String {
            switch self {
            case .text(let text): text
            case .number(let number): "\(number)"
            }
        }
    }

    private let writer: LineWriter
    private let isJSON: Bool
    private let clock: any WallClock

    /// Writes to the stream, as JSON or as words.
    init(_ stream: StandardStream, isJSON: Bool, clock: any WallClock) {
        self.isJSON = isJSON
        self.clock = clock
        writer = LineWriter(stream) { count in
            Self.line(.warning, "lines_dropped", [("lines", .number(count))], isJSON: isJSON, at: clock.now)
        }
    }

    /// Writes an event with its members.
    func event(_ name: String, level: Level = .info, _ members: [(name: String, value: Value)] = []) {
        writer.write(Self.line(level, name, members, isJSON: isJSON, at: clock.now))
    }

    /// Writes a configuration's problem.
    func problem(_ found: LocatedProblem, in path: String) {
        var members: [(name: String, value: Value)] = [("file", .text(path))]
        if let line = found.line { members.append(("line", .number(line))) }
        members += [("key_path", .text(found.problem.keyPath)), ("message", .text(found.problem.message))]
        let isWarning = found.problem.severity == .warning
        event(
            isWarning ? "configuration_warning" : "configuration_problem", level: isWarning ? .warning : .error, members
        )
    }

    /// Writes a request that was answered.
    func request(_ request: RequestLog) {
        if isJSON { return writer.write(request.json) }
        let milliseconds = Int((request.duration / .milliseconds(1)).rounded(.up))
        let code = request.code.map { " \($0)" } ?? ""
        let time = request.time.rfc3339
        writer.write("\(time) \(request.status) \(request.method) \(request.route) \(milliseconds) ms\(code)")
    }

    /// Writes what waits. Nothing is written after it.
    func close() { writer.close() }

    private static func line(
        _ level: Level, _ name: String, _ members: [(name: String, value: Value)], isJSON: Bool, at now: Timestamp
    ) -> String {
        guard isJSON else {
            if name == "listening", let url = members.first { return "listening on \(url.value)" }
            let severity = level == .info ? "" : "\(level.rawValue): "
            let words = name.split(separator: "_").joined(separator: " ")
            return ([now.rfc3339, severity + words] + members.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
        }
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("time", now.rfc3339)
            json.member("level", level.rawValue)
            json.member("event", name)
            for member in members {
                switch member.value {
                case .text(let text): json.member(member.name, text)
                case .number(let number): json.member(member.name, number)
                }
            }
        }
        return json.finishText()
    }
}
