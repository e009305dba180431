import Glibc

/// What kind of network an IP address belongs to, by IANA's registries of special-purpose addresses.
public enum AddressClass: String, Sendable, CaseIterable {
    /// Reachable from anywhere.
    case global
    /// Of an organisation's own network, or a carrier's: RFC 1918, RFC 6598, unique local.
    case `private`
    /// Of this machine.
    case loopback
    /// Of the link, clouds' metadata services among them.
    case linkLocal = "link_local"
    /// No address at all.
    case unspecified
    /// Of a group.
    case multicast
    /// Of everybody on the link.
    case broadcast
    /// For examples in texts.
    case documentation
    /// For protocols, benchmarks and the future.
    case reserved

    /// The class of an address of 4 or 16 bytes. What only wraps an IPv4 address is of the class of that address.
    static func of(_ address: [UInt8]) -> AddressClass {
        switch address.count {
        case 4: ranges4.first { $0.holds(address) }?.kind ?? .global
        case 16: embedded(in: address).map(of) ?? ranges6.first { $0.holds(address) }?.kind ?? .reserved
        default: .reserved
        }
    }

    /// The class of an address that is written out; nil where the text is none. An IPv6 address may stand in brackets.
    static func ofLiteral(_ text: String) -> AddressClass? {
        let inner = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        var address4 = in_addr()
        if inet_pton(AF_INET, inner, &address4) == 1 {
            return of(withUnsafeBytes(of: &address4) { Array($0) })
        }
        var address6 = in6_addr()
        // A zone names one of this machine's links.
        let parts = inner.split(separator: "%", maxSplits: 1)
        guard let first = parts.first, inet_pton(AF_INET6, String(first), &address6) == 1 else { return nil }
        return of(withUnsafeBytes(of: &address6) { Array($0) })
    }

    /// The IPv4 address that an IPv6 address leads to.
    private static func embedded(in address: [UInt8]) -> [UInt8]? {
        wrappings.first { $0.range.holds(address) }.map { Array(address[$0.offset..<($0.offset + 4)]) }
    }

    /// The addresses that share their first bits.
    private struct Range {
        let prefix: [UInt8]
        let bits: Int
        let kind: AddressClass

        init(_ prefix: [UInt8], _ bits: Int, _ kind: AddressClass = .reserved) {
            self.prefix = prefix
            self.bits = bits
            self.kind = kind
        }

        func holds(_ address: [UInt8]) -> Bool {
            for bit in 0..<bits {
                let mask: UInt8 = 0x80 >> UInt8(bit % 8)
                let wanted = bit / 8 < prefix.count ? prefix[bit / 8] : 0
                if address[bit / 8] & mask != wanted & mask { return false }
            }
            return true
        }
    }

    /// The first that holds an address decides.
    private static let ranges4 = [
        Range([0], 8, .unspecified),
        Range([10], 8, .private),
        Range([100, 64], 10, .private),
        Range([127], 8, .loopback),
        Range([169, 254], 16, .linkLocal),
        Range([172, 16], 12, .private),
        Range([192, 0, 0], 24, .reserved),
        Range([192, 0, 2], 24, .documentation),
        Range([192, 88, 99], 24, .reserved),
        Range([192, 168], 16, .private),
        Range([198, 18], 15, .reserved),
        Range([198, 51, 100], 24, .documentation),
        Range([203, 0, 113], 24, .documentation),
        Range([224], 4, .multicast),
        Range([255, 255, 255, 255], 32, .broadcast),
        Range([240], 4, .reserved),
    ]

    /// Of the rest, only what was given out for the whole net, 2000::/3, is global.
    private static let ranges6 = [
        Range([], 128, .unspecified),
        Range([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128, .loopback),
        Range([0xfc], 7, .private),
        Range([0xfe, 0x80], 10, .linkLocal),
        Range([0xfe, 0xc0], 10, .private),
        Range([0xff], 8, .multicast),
        Range([0x20, 0x01, 0x0d, 0xb8], 32, .documentation),
        Range([0x3f, 0xff], 20, .documentation),
        // Teredo, ORCHID and other protocols' own.
        Range([0x20, 0x01], 23, .reserved),
        Range([0x20], 3, .global),
    ]

    /// Forms that hold an IPv4 address, and where: mapped, translated, NAT64 (RFC 6052), 6to4.
    private static let wrappings: [(range: Range, offset: Int)] = [
        (Range([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96), 12),
        (Range([0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96), 12),
        (Range([0x00, 0x64, 0xff, 0x9b], 96), 12),
        (Range([0x20, 0x02], 16), 2),
    ]
}
