import SecretMemory

/// Cuts a text that comes in pieces into lines. It holds no more than one line, and of one that is too long nothing.
///
/// A line ends with a line feed, or where the text ends. A carriage return before it, and a byte order mark before the
/// first line, are not part of it; blank lines are counted and dropped. Otherwise bytes are not looked at: a character
/// may be cut by the border of two pieces.
struct LineSplitter: ~Copyable {
    /// A line with its number, from 1.
    struct Line: Sendable {
        let number: Int
        /// What stands in it; nil where it is too long.
        let text: SecretBytes?
    }

    private let limit: Int
    private var number = 1
    private var rest: SecretBuilder?
    private var isTooLong = false

    /// Cuts lines of at most that many bytes.
    init(limit: Int) { self.limit = limit }

    /// The lines that a piece ends.
    mutating func take(_ piece: SecretBytes) -> [Line] {
        var lines: [Line] = []
        piece.withSpan { span in
            var start = 0
            for index in 0..<span.count where span[index] == 0x0a {
                append(span.extracting(start..<index))
                if let line = endLine() { lines.append(line) }
                start = index + 1
            }
            append(span.extracting(start..<span.count))
        }
        return lines
    }

    /// The line that the end of the text ends, where one was begun.
    mutating func finish() -> Line? { endLine() }

    private mutating func append(_ span: Span<UInt8>) {
        if isTooLong || span.count == 0 { return }
        let held = rest?.count ?? 0
        // A carriage return and a byte order mark do not count.
        if held + span.count > limit + 4 {
            isTooLong = true
            rest = nil
        } else if held == 0 {
            var first = SecretBuilder(capacity: span.count)
            first.append(span)
            rest = consume first
        } else {
            rest?.append(span)
        }
    }

    private mutating func endLine() -> Line? {
        let number = number
        self.number += 1
        let whole = rest.take()?.finish()
        if isTooLong {
            isTooLong = false
            return Line(number: number, text: nil)
        }
        guard let whole else { return nil }
        let content = whole.withSpan { Self.content(of: $0, isFirst: number == 1) }
        if content.isEmpty { return nil }
        if content.count > limit { return Line(number: number, text: nil) }
        if content.count == whole.count { return Line(number: number, text: whole) }
        var cut = SecretBuilder(capacity: content.count)
        whole.withSpan { cut.append($0.extracting(content)) }
        return Line(number: number, text: cut.finish())
    }

    /// The line without what is not part of it; empty where it is blank.
    private static func content(of span: Span<UInt8>, isFirst: Bool) -> Range<Int> {
        var (start, end) = (0, span.count)
        if isFirst, end >= 3, span[0] == 0xef, span[1] == 0xbb, span[2] == 0xbf { start = 3 }
        if end > start, span[end - 1] == 0x0d { end -= 1 }
        let isBlank = (start..<end).allSatisfy { span[$0] == 0x20 || span[$0] == 0x09 }
        return isBlank ? start..<start : start..<end
    }
}
