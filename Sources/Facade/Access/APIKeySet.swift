import ProviderKit
import SecretMemory

/// The keys in force, found by digest.
struct APIKeySet: Sendable {
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
        let fields = headers.filter { $0.name == "authorization" }
        guard fields.count == 1, let text = Self.bearer(fields[0].value) else { return nil }
        let digest = cryptography.sha256([SecretBytes(utf8: text)])
        return buckets[Array(digest.prefix(8))]?.first { cryptography.constantTimeEquals($0.digest, digest) }
    }

    private static func bearer(_ value: String) -> Substring? {
        guard let space = value.firstIndex(of: " "), value[..<space].lowercased() == "bearer" else { return nil }
        let text = value[value.index(after: space)...]
        let isKey = text.hasPrefix(prefix) && lengths.contains(text.utf8.count)
        return isKey && text.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? text : nil
    }
}
