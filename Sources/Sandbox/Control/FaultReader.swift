import ProviderKit
import SecretMemory

/// Reads a fault as the control API takes it:
///
/// ```json
/// {"count": 1, "path_suffix": "/push_provision", "after_handling": false, "status": 503, "body": "…", "html": true,
///  "headers": {"retry-after": "2"}, "delay_ms": 250, "connection": "reset", "truncate_after": 16, "oversize": 300000}
/// ```
///
/// Every member may be left out. `connection` is `reset` or `truncate`; `body` is sent as it is.
struct FaultReader {
    private var reader = StrictReader()

    private static let known: Set = [
        "count", "path_suffix", "after_handling", "status", "body", "html", "headers", "delay_ms", "connection",
        "truncate_after", "oversize",
    ]

    var problems: [StrictReader.Problem] { reader.problems }

    /// The fault; nil where something is wrong with it.
    mutating func read(_ view: JSONView?) -> ScriptedFault? {
        guard let members = reader.members(of: view, at: "", known: Self.known) else { return nil }
        var fault = ScriptedFault()
        fault.count = number(members["count"], "count", in: 1...10_000) ?? 1
        fault.pathSuffix = reader.text(members["path_suffix"], at: "path_suffix", required: false)
        fault.afterHandling = flag(members["after_handling"], "after_handling")
        fault.status = number(members["status"], "status", in: 200...599)
        if let body = members["body"] {
            fault.body = body.secretText?.bytes
            if fault.body == nil { reader.refuse("body", "must be a string") }
        }
        if flag(members["html"], "html") { fault.contentType = "text/html; charset=utf-8" }
        fault.delay = number(members["delay_ms"], "delay_ms", in: 0...600_000).map { .milliseconds($0) }
        fault.fillsBodyTo = number(members["oversize"], "oversize", in: 0...16_777_216)
        fault.breaks = breaks(members)
        for (name, value) in members["headers"]?.members ?? [] {
            guard let text = value.string else {
                reader.refuse("headers.\(name)", "must be a string")
                continue
            }
            fault.headers.append((name, text))
        }
        return reader.problems.isEmpty ? fault : nil
    }

    private mutating func breaks(_ members: [String: JSONView]) -> EmulatedResponse.Break? {
        let count = number(members["truncate_after"], "truncate_after", in: 0...16_777_216)
        switch reader.text(members["connection"], at: "connection", required: false) {
        case nil: return nil
        case "reset": return .reset
        case "truncate": return .truncate(after: count ?? 1)
        default:
            reader.refuse("connection", "must be reset or truncate")
            return nil
        }
    }

    private mutating func number(_ view: JSONView?, _ name: String, in bounds: ClosedRange<Int>) -> Int? {
        guard let view else { return nil }
        if let number = view.integer, bounds.contains(number) { return number }
        reader.refuse(name, "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
        return nil
    }

    private mutating func flag(_ view: JSONView?, _ name: String) -> Bool {
        guard let view else { return false }
        if let flag = view.bool { return flag }
        reader.refuse(name, "must be true or false")
        return false
    }
}
