import CLinux
import Glibc

/// What a look at the first bytes of a request has found.
enum HeadReading: Equatable {
    /// The head is not all there yet, and nothing is wrong so far.
    case incomplete
    /// It is no request that has one reading.
    case refused(HTTPRefusal)
    /// It is all there, and sound.
    case complete(RequestHead)

    /// Looks at bytes that wait in the socket. The library parses them afterwards; this decides whether it may, since
    /// it is lenient where leniency lets two readers of the same bytes disagree, and answers errors with a page of its
    /// own.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) {
        var line = 0
        while line + 1 < bytes.count, bytes[line] == 0x0d, bytes[line + 1] == 0x0a { line += 2 }
        var rules = FramingRules()
        var isFirst = true
        while let end = Self.lineEnd(bytes, from: line) {
            guard end > line, bytes[end - 1] == 0x0d else {
                self = .refused(.malformed("a line of the head does not end with CR and LF"))
                return
            }
            if end >= limit { break }
            let content = UnsafeBufferPointer(rebasing: bytes[line..<end - 1])
            if content.isEmpty && !isFirst {
                self = rules.conclude(bytes: end + 1)
                return
            }
            if let refusal = isFirst ? Self.requestLine(content, &rules) : Self.field(content, &rules) {
                self = .refused(refusal)
                return
            }
            isFirst = false
            line = end + 1
        }
        if bytes.count > limit {
            self = .refused(.headersTooLarge)
        } else if Self.isSoundSoFar(UnsafeBufferPointer(rebasing: bytes[line...])) {
            self = .incomplete
        } else {
            self = .refused(.malformed("the head has a control character"))
        }
    }

    private static func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0a, bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private static func isSoundSoFar(_ rest: UnsafeBufferPointer<UInt8>) -> Bool {
        rest.indices.allSatisfy { index in
            FramingRules.isValueByte(rest[index]) || rest[index] == 0x0d && index == rest.count - 1
        }
    }

    /// `method SP target SP HTTP/1.x`, one space each.
    private static func requestLine(_ line: UnsafeBufferPointer<UInt8>, _ rules: inout FramingRules) -> HTTPRefusal? {
        guard let first = line.firstIndex(of: 0x20), first > 0,
            line[..<first].allSatisfy(FramingRules.isTokenByte)
        else { return .malformed("the request line has no method") }
        let rest = line[(first + 1)...]
        guard let second = rest.firstIndex(of: 0x20), second > first + 1,
            rest[..<second].allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return .malformed("the request line has no target") }
        let version = UnsafeBufferPointer(rebasing: line[(second + 1)...])
        guard version.count == 8, version.starts(with: "HTTP/1.".utf8), version[7] == 0x30 || version[7] == 0x31 else {
            return .malformed("the version is not HTTP/1.0 or HTTP/1.1")
        }
        rules.isVersion11 = version[7] == 0x31
        rules.records += rest[..<second].count { $0 == 0x26 }
        return nil
    }

    /// `name:value`, nothing before the colon but the name, and no line that continues the one before.
    private static func field(_ line: UnsafeBufferPointer<UInt8>, _ rules: inout FramingRules) -> HTTPRefusal? {
        guard let colon = line.firstIndex(of: 0x3a) else { return .malformed("a header line has no colon") }
        var start = colon + 1
        while start < line.count, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
        return rules.take(
            name: UnsafeBufferPointer(rebasing: line[..<colon]), value: UnsafeBufferPointer(rebasing: line[start...]))
    }
}
