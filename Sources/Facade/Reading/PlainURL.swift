/// An `https` URL of a host by its name or IPv4 address, with a port or without one, without credentials, and with
/// nothing in it that a URL has to escape.
enum PlainURL {
    private static let marks = Array("-._~!$&'()*+,;=:@/?".utf8)

    /// Whether the text is one.
    static func isWellFormed(_ text: String) -> Bool {
        guard text.hasPrefix("https://") else { return false }
        let rest = text.utf8.dropFirst(8)
        let authority = rest.prefix { $0 != 0x2f && $0 != 0x3f && $0 != 0x23 }
        return isAuthority(authority) && isTail(rest.dropFirst(authority.count))
    }

    private static func isAuthority(_ authority: Substring.UTF8View) -> Bool {
        let parts = authority.split(separator: 0x3a, maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, let first = host.first, isLetterOrDigit(first),
            host.allSatisfy({ isLetterOrDigit($0) || $0 == 0x2d || $0 == 0x2e })
        else { return false }
        return parts.count == 1 || isPort(parts[1])
    }

    private static func isPort(_ port: Substring.UTF8View) -> Bool {
        guard (1...5).contains(port.count), port.first != 0x30, port.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        return port.reduce(0) { $0 * 10 + Int($1 - 0x30) } < 65_536
    }

    /// Path, query and fragment.
    private static func isTail(_ tail: Substring.UTF8View) -> Bool {
        var isFragment = false
        var digitsToCome = 0
        for byte in tail {
            if digitsToCome > 0 {
                guard isHexDigit(byte) else { return false }
                digitsToCome -= 1
            } else if byte == 0x25 {
                digitsToCome = 2
            } else if byte == 0x23, !isFragment {
                isFragment = true
            } else if !isLetterOrDigit(byte), !marks.contains(byte) {
                return false
            }
        }
        return digitsToCome == 0
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}
