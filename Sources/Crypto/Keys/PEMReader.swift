import ProviderKit
import SecretMemory

/// Reads PEM text as it arrives in environment variables and configuration files, and names the line of a damage.
///
/// Repaired: `\n` as two characters, line ends of any system or spaces in their place, quotes around the text, blank
/// lines and spaces. Nothing else is: a damaged marker or digit is refused.
struct PEMReader: ~Copyable {
    private let text: SecretBytes
    private let subject: String
    private var position = 0
    private var line = 1

    /// - Parameter subject: What the text should be, to begin sentences with: `The key`.
    init(_ text: SecretText, subject: String) {
        self.text = Self.repaired(text.bytes)
        self.subject = subject
    }

    /// All blocks in order, at least one.
    mutating func blocks() throws(CryptographyFailure) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        while findMarker() { blocks.append(try block()) }
        guard !blocks.isEmpty else {
            throw CryptographyFailure(
                text.isEmpty
                    ? "\(subject) is empty." : "\(subject) is not PEM text: it has no line -----BEGIN …-----.")
        }
        return blocks
    }

    private mutating func block() throws(CryptographyFailure) -> PEMBlock {
        let label = try marker("BEGIN")
        while peek() == Self.newline || peek() == Self.space { advance() }
        guard !startsWith("Proc-Type:") else {
            throw CryptographyFailure("\(subject) is encrypted; give it without a passphrase.")
        }
        var digits = SecretBuilder(capacity: text.count)
        while let byte = peek(), byte != Self.dash {
            switch byte {
            case 0x41...0x5a, 0x61...0x7a, 0x30...0x39, 0x2b, 0x2f, 0x3d: digits.append(byte)
            case Self.newline, Self.space, 0x09: break
            default:
                throw CryptographyFailure("Line \(line) of \(subject.lowercased()) has a character that is not base64.")
            }
            advance()
        }
        guard peek() != nil else {
            throw CryptographyFailure("\(subject) is cut short: there is no line -----END \(label)-----.")
        }
        let endLine = line
        let endLabel = try marker("END")
        guard endLabel == label else {
            throw CryptographyFailure(
                "Line \(endLine) of \(subject.lowercased()) ends \(endLabel), but \(label) had begun.")
        }
        let isWhole = digits.count > 0 && digits.count % 4 == 0
        guard isWhole, let der = Base64.decode(digits.finish()) else {
            throw CryptographyFailure(
                "\(subject) is damaged: the lines before line \(endLine) are not whole base64. Was a line lost or cut?")
        }
        return PEMBlock(label: label, der: der)
    }

    /// Reads `-----BEGIN LABEL-----` and gives the label.
    private mutating func marker(_ word: String) throws(CryptographyFailure) -> String {
        let line = line
        let before = dashes()
        for expected in word.utf8 {
            guard peek() == expected else {
                throw CryptographyFailure(
                    "Line \(line) of \(subject.lowercased()) is no marker; -----\(word) …----- should stand there.")
            }
            advance()
        }
        var label: [UInt8] = []
        while let byte = peek(), byte != Self.dash, byte != Self.newline, label.count < 64 {
            label.append(byte)
            advance()
        }
        let after = dashes()
        guard before == 5, after == 5 else {
            let found = before == 5 ? "\(after) dashes after it" : "\(before) dashes before it"
            let article = word == "END" ? "an" : "a"
            throw CryptographyFailure(
                "Line \(line) of \(subject.lowercased()) has \(article) \(word) marker with \(found); there must be five."
            )
        }
        let isPlain = label.allSatisfy { (0x41...0x5a).contains($0) || (0x30...0x39).contains($0) || $0 == Self.space }
        guard label.first == Self.space, label.count > 1, isPlain else {
            throw CryptographyFailure("Line \(line) of \(subject.lowercased()) has a marker without a proper label.")
        }
        return String(decoding: label.dropFirst(), as: UTF8.self)
    }

    /// Goes to the next line that is a marker, or means to be one; whether there is one.
    private mutating func findMarker() -> Bool {
        while let byte = peek() {
            if byte == Self.dash || startsWith("BEGIN ") { return true }
            if byte != Self.newline && byte != Self.space {
                while let byte = peek(), byte != Self.newline { advance() }
            }
            if peek() != nil { advance() }
        }
        return false
    }

    private func startsWith(_ word: String) -> Bool {
        let word = Array(word.utf8)
        guard position + word.count <= text.count else { return false }
        return text.withSpan { span in word.indices.allSatisfy { span[position + $0] == word[$0] } }
    }

    private mutating func dashes() -> Int {
        var count = 0
        while peek() == Self.dash {
            count += 1
            advance()
        }
        return count
    }

    private func peek() -> UInt8? { position < text.count ? text.withSpan { $0[position] } : nil }

    private mutating func advance() {
        if peek() == Self.newline { line += 1 }
        position += 1
    }

    /// The text with plain line ends and nothing around it.
    private static func repaired(_ text: SecretBytes) -> SecretBytes {
        text.withSpan { span in
            var start = 0
            var end = span.count
            func isOuter(_ byte: UInt8) -> Bool { byte <= space || byte == 0x22 || byte == 0x27 }
            while start < end, isOuter(span[start]) { start += 1 }
            while end > start, isOuter(span[end - 1]) { end -= 1 }
            var builder = SecretBuilder(capacity: end - start + 1)
            var index = start
            while index < end {
                // One of: backslash r, backslash n, carriage return, line feed; a pair of them is one line end.
                if let width = lineEnd(span, at: index, end: end, escaped: 0x72, plain: 0x0d) {
                    builder.append(newline)
                    index += width
                    index += lineEnd(span, at: index, end: end, escaped: 0x6e, plain: newline) ?? 0
                } else if let width = lineEnd(span, at: index, end: end, escaped: 0x6e, plain: newline) {
                    builder.append(newline)
                    index += width
                } else {
                    builder.append(span[index])
                    index += 1
                }
            }
            return builder.finish()
        }
    }

    private static func lineEnd(_ span: Span<UInt8>, at index: Int, end: Int, escaped: UInt8, plain: UInt8) -> Int? {
        if index < end, span[index] == plain { return 1 }
        return index + 1 < end && span[index] == 0x5c && span[index + 1] == escaped ? 2 : nil
    }

    private static let dash: UInt8 = 0x2d
    private static let newline: UInt8 = 0x0a
    private static let space: UInt8 = 0x20
}
