import ProviderConformance
import ProviderKit
import SecretMemory

/// Reads a fault as the control API takes it:
///
/// ```json
/// {"skip": 0, "count": 1, "path_suffix": "/push_provision", "after_handling": false, "status": 503, "body": "…", "html": true,
///  "headers": {"retry-after": "2"}, "delay_ms": 250, "connection": "reset", "truncate_after": 16, "oversize": 300000,
///  "rewrite": "unknown_members"}
/// ```
///
/// Every member may be left out. `connection` is `reset`, `truncate` or `garble`; `body` is sent as it is; `rewrite` is
/// `unknown_members` or `wrong_types`, and changes the emulator's own JSON.
struct FaultReader {
    private var reader = StrictReader()

    private static let known: Set = [
        "skip", "count", "path_suffix", "after_handling", "status", "body", "html", "headers", "delay_ms", "connection",
        "truncate_after", "oversize", "rewrite",
    ]

    var problems: [StrictReader.Problem] { reader.problems }

    /// The fault; nil where something is wrong with it.
    mutating func read(_ view: JSONView?) -> ScriptedFault? {
        guard let members = reader.members(of: view, at: "", known: Self.known) else { return nil }
        var fault = ScriptedFault()
        fault.skip = number(members["skip"], "skip", in: 0...10_000) ?? 0
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
        fault.rewriting = rewriting(members["rewrite"])
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
        case "garble": return .garble
        default:
            reader.refuse("connection", "must be reset, truncate or garble")
            return nil
        }
    }

    private mutating func rewriting(_ view: JSONView?) -> Rewriting {
        switch reader.text(view, at: "rewrite", required: false) {
        case nil: return .none
        case "unknown_members": return .unknownMembers
        case "wrong_types": return .wrongTypes
        default:
            reader.refuse("rewrite", "must be unknown_members or wrong_types")
            return .none
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
