import SecretMemory
import YAML

/// Writes a document with everything in quotes and on one line, so that nothing is left to the reader's judgement.
enum YAMLWriter {
    static func text(of node: YAMLNode) -> String {
        switch node.content {
        case .refused: "~"
        case .scalar(let text, _): quoted(text.reveal())
        case .sequence(let items): "[" + items.map(text).joined(separator: ", ") + "]"
        case .mapping(let members):
            "{" + members.map { "? \(quoted($0.key)) : \(text(of: $0.value))" }.joined(separator: ", ") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5c:
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            case 0x20...0x7e: quoted.unicodeScalars.append(scalar)
            case let value:
                let digits = String(value, radix: 16)
                quoted += "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
            }
        }
        return quoted + "\""
    }
}
