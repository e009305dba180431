/// A text of ours in HTML. What stands between backticks is code.
struct HTMLText: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        let isWhole = !parts.count.isMultiple(of: 2)
        description = parts.enumerated().map { index, part in
            let escaped = Self.escape(part)
            if isWhole { return index.isMultiple(of: 2) ? escaped : "<code>\(escaped)</code>" }
            return index == 0 ? escaped : "`\(escaped)"
        }.joined()
    }

    /// The text with its marks escaped, and backticks as they are.
    static func escape(_ text: some StringProtocol) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
