import ProviderKit
import SecretMemory

/// JSON for people to read: a member a line, but what is short stands on one.
struct ReferenceJSON {
    private static let width = 72

    let text: String

    init(_ value: JSONView) { text = Self.write(value, indent: "") }

    private static func write(_ value: JSONView, indent: String) -> String {
        let flat = flat(value)
        if indent.utf8.count + flat.utf8.count <= width { return flat }
        let deeper = indent + "  "
        if let members = value.members, !members.isEmpty {
            let lines = members.map { "\(deeper)\(quoted($0.name)): \(write($0.value, indent: deeper))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        }
        if let elements = value.elements, !elements.isEmpty {
            let lines = elements.map { deeper + write($0, indent: deeper) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        }
        return flat
    }

    private static func flat(_ value: JSONView) -> String {
        if let members = value.members {
            let parts = members.map { "\(quoted($0.name)): \(flat($0.value))" }
            return parts.isEmpty ? "{}" : "{ \(parts.joined(separator: ", ")) }"
        }
        if let elements = value.elements { return "[\(elements.map(flat).joined(separator: ", "))]" }
        return value.canonical.revealText() ?? ""
    }

    private static func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.value(text)
        return json.finishText()
    }
}
