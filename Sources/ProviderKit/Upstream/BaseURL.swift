/// Where a processor's API stands: `https://host[:port][/path]`, without an end slash, credentials, query or fragment.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    /// The whole, ready for a path to be appended.
    public let description: String
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The host in lower case; an IPv6 address stands in brackets.
    public let host: String
    /// The port, where it is written.
    public let port: Int?

    /// Nil where the text has another form.
    public init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"\\\"<>^`{|}?#@".utf8.contains($0) }) else {
            return nil
        }
        isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://") else { return nil }
        let rest = text.dropFirst(isSecure ? 8 : 7)
        let authority = rest.prefix { $0 != "/" }
        let segments = rest.dropFirst(authority.count).split(separator: "/", omittingEmptySubsequences: false)
        guard !segments.contains("."), !segments.contains("..") else { return nil }
        let isBracketed = authority.hasPrefix("[")
        let hostEnd =
            isBracketed
            ? authority.firstIndex(of: "]").map(authority.index(after:))
            : authority.firstIndex(of: ":") ?? authority.endIndex
        guard let hostEnd else { return nil }
        let host = authority[..<hostEnd].lowercased()
        let portText = authority[hostEnd...]
        if portText.isEmpty {
            port = nil
        } else {
            guard portText.hasPrefix(":"), let number = Int(portText.dropFirst()), (1...65_535).contains(number) else {
                return nil
            }
            port = number
        }
        let letters = isBracketed ? host.dropFirst().dropLast() : host[...]
        guard !letters.isEmpty, letters.utf8.allSatisfy({ Self.isHostLetter($0, isBracketed: isBracketed) }) else {
            return nil
        }
        // `host.` is `host` to a resolver, and would not be to whoever compares the two.
        guard isBracketed || !host.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
            return nil
        }
        self.host = host
        var end = text[...]
        while end.hasSuffix("/") { end.removeLast() }
        description = String(end)
    }

    /// Whether the host is this machine, by its name or by a literal address.
    public var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && $0.count <= 3 }
    }

    private static func isHostLetter(_ byte: UInt8, isBracketed: Bool) -> Bool {
        switch byte {
        case 0x61...0x7a, 0x30...0x39, 0x2e: true
        case 0x2d, 0x5f: !isBracketed
        case 0x3a: isBracketed
        default: false
        }
    }
}
