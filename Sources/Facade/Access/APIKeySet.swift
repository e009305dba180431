import ProviderKit
import SecretMemory

/// The keys in force, found by digest.
struct APIKeySet: Sendable {
    private static let scheme = "bearer"
    private static let prefix = "pgk_"
    private static let lengths = 5...512

    private let cryptography: any AdapterCryptography
    /// By the digest's first bytes, which are no secret: whoever can choose them has broken SHA-256.
    private let buckets: [[UInt8]: [APIKey]]

    init(_ keys: [APIKey], cryptography: any AdapterCryptography) {
        self.cryptography = cryptography
        buckets = Dictionary(grouping: keys) { Array($0.digest.prefix(8)) }
    }

    /// The key that the `Authorization` fields of a request hold; nil where they hold none that is known.
    func key(in headers: [(name: String, value: String)]) -> APIKey? {
        guard let text = Self.bearer(in: headers) else { return nil }
        return key(digest: cryptography.sha256([SecretBytes(utf8: text)]))
    }

    /// The key of that digest; nil where none is known.
    func key(digest: [UInt8]) -> APIKey? {
        buckets[Array(digest.prefix(8))]?.first { cryptography.constantTimeEquals($0.digest, digest) }
    }

    /// Whether the fields hold a key of the form that `passgate keys create` gives, known or not.
    static func mayBeStored(_ headers: [(name: String, value: String)]) -> Bool {
        guard let text = bearer(in: headers)?.utf8, text.count == NewAPIKey.length else { return false }
        return text.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
            default: false
            }
        }
    }

    private static func bearer(in headers: [(name: String, value: String)]) -> Substring? {
        var field: String?
        for (name, value) in headers where name == "authorization" {
            if field != nil { return nil }
            field = value
        }
        return field.flatMap(bearer)
    }

    private static func bearer(_ value: String) -> Substring? {
        let bytes = value.utf8.span
        let start = scheme.utf8.count + 1
        guard bytes.count > start, lengths.contains(bytes.count - start), bytes[start - 1] == 0x20 else { return nil }
        for (index, letter) in scheme.utf8.enumerated() where bytes[index] | 0x20 != letter { return nil }
        for (index, letter) in prefix.utf8.enumerated() where bytes[start + index] != letter { return nil }
        for index in start..<bytes.count where !(0x21...0x7e).contains(bytes[index]) { return nil }
        return value[value.utf8.index(value.startIndex, offsetBy: start)...]
    }
}
