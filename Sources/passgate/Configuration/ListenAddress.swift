/// Where a server listens: an address of this machine and a port.
struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// An IPv4 or IPv6 address, without brackets.
    let host: String
    /// 0 takes a free one.
    let port: UInt16

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`; nil where it is none of these.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
            return nil
        }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":"), host.utf8.allSatisfy(Self.isIPv6Byte) else { return nil }
        } else {
            let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
            guard numbers.count == 4, !numbers.contains(nil) else { return nil }
        }
        self.init(host: host, port: port)
    }

    /// Whether only this machine can reach it.
    var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Where this machine reaches a listener at the address: one that listens everywhere is on loopback, too.
    var nearest: ListenAddress {
        switch host {
        case "0.0.0.0": ListenAddress(host: "127.0.0.1", port: port)
        case "::": ListenAddress(host: "::1", port: port)
        default: self
        }
    }

    /// Where the facade listens unless told otherwise.
    static let facade = ListenAddress(host: "127.0.0.1", port: 8080)

    /// As it stands in a URL.
    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func isIPv6Byte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3a, 0x41...0x46, 0x61...0x66, 0x2e: true
        default: false
        }
    }
}
