public import ProviderKit
public import SecretMemory
import Synchronization

/// The gateway's own keys: for every purpose one subkey of every root secret.
///
/// What is sealed or digested goes under the first root secret, the current one; what the others made can still be
/// opened and looked up, so that a root secret is replaced without losing anything. Sealed text names its key by an id
/// that says nothing about the key. A purpose is a fixed word of the program, never data. One purpose may seal 2^32 texts under one root secret, as nonces are random.
public final class KeyRing: Sendable {
    private let roots: [Root]

    /// Takes the root secrets, the current one first, each of at least 32 bytes.
    ///
    /// - Throws: `CryptographyFailure` where there is none, one is too short, or one stands twice.
    public init(_ secrets: [SecretBytes]) throws(CryptographyFailure) {
        guard !secrets.isEmpty else { throw CryptographyFailure("There is no root secret.") }
        var roots: [Root] = []
        for (index, secret) in secrets.enumerated() {
            guard secret.count >= 32 else {
                throw CryptographyFailure("Root secret \(index + 1) has \(secret.count) bytes; 32 are needed.")
            }
            let root = try Root(secret)
            guard !roots.contains(where: { $0.id == root.id }) else {
                throw CryptographyFailure("Root secret \(index + 1) stands in the list before.")
            }
            roots.append(root)
        }
        self.roots = roots
    }

    /// The ids of the root secrets, the current one first: 12 digits of lower-case hex each.
    public var keyIDs: [String] { roots.map { root in root.id.map { $0.hexadecimal }.joined() } }

    /// Encrypts for a purpose: base64url text with the key's id inside. It opens only for the same purpose and with the
    /// same associated data.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public func seal(_ plaintext: SecretBytes, purpose: String, associatedData: [UInt8]) throws(CryptographyFailure)
        -> String
    {
        let header = [Self.version] + roots[0].id
        let sealed = try roots[0].subkey(purpose).cipher.seal(plaintext, associatedData: header + associatedData)
        return Base64.encode(header + sealed, alphabet: .urlSafe, padded: false)
    }

    /// Decrypts what ``seal(_:purpose:associatedData:)`` made, under any of the root secrets.
    ///
    /// - Throws: `CryptographyFailure` where the text was altered, cut, made for another purpose or with other
    ///   associated data, or under a root secret that is not here.
    public func open(_ text: String, purpose: String, associatedData: [UInt8]) throws(CryptographyFailure)
        -> SecretBytes
    {
        // One text for one seal: padding, which it is never given, would make another of it.
        guard text.utf8.last != UInt8(ascii: "="),
            let bytes = Base64.decode(text.utf8.span, alphabet: .urlSafe)?.reveal(), bytes.count > Self.headerLength,
            bytes[0] == Self.version
        else { throw CryptographyFailure("The text was not sealed by this gateway.") }
        let header = Array(bytes[..<Self.headerLength])
        guard let root = roots.first(where: { $0.id == Array(header[1...]) }) else {
            throw CryptographyFailure("The text was sealed under a root secret that is not among those given.")
        }
        return try root.subkey(purpose).cipher.open(
            Array(bytes[Self.headerLength...]), associatedData: header + associatedData)
    }

    /// A keyed digest of 32 bytes under the current root secret.
    public func digest(_ bytes: SecretBytes, purpose: String) -> [UInt8] { roots[0].digest([bytes], purpose) }

    /// The keyed digests under every root secret, the current one first: what was stored before a root secret was
    /// replaced is found under a later one of them.
    public func digests(_ bytes: SecretBytes, purpose: String) -> [[UInt8]] {
        roots.map { $0.digest([bytes], purpose) }
    }

    /// Every root secret's digest for a purpose, the current one first, each with the root secret's id: for digests that
    /// are kept with the id of their key.
    public func digesters(purpose: String) -> [(keyID: [UInt8], digest: @Sendable (SecretBytes) -> [UInt8])] {
        roots.map { root in (root.id, { root.digest([$0], purpose) }) }
    }

    private static let version: UInt8 = 1
    private static let headerLength = 1 + Root.idLength
}

/// One root secret with the subkeys that were asked for so far.
private final class Root: Sendable {
    static let idLength = 6

    let id: [UInt8]
    private let secret: SecretBytes
    private let subkeys = Mutex<[String: Subkey]>([:])

    init(_ secret: SecretBytes) throws(CryptographyFailure) {
        self.secret = secret
        id = try HKDFSHA256.derive(from: secret, info: Array("passgate key id".utf8), count: Self.idLength).reveal()
    }

    func subkey(_ purpose: String) throws(CryptographyFailure) -> Subkey {
        if let known = subkeys.withLock({ $0[purpose] }) { return known }
        let made = try Subkey(secret, purpose: purpose)
        subkeys.withLock { $0[purpose] = made }
        return made
    }

    func digest(_ pieces: [SecretBytes], _ purpose: String) -> [UInt8] {
        do {
            return try subkey(purpose).hmac.code(of: pieces)
        } catch {
            preconditionFailure("a subkey could not be derived: out of memory")
        }
    }
}

/// The keys for one purpose: one to seal, one to digest.
private struct Subkey: Sendable {
    let cipher: AESGCM
    let hmac: HMACSHA256

    init(_ root: SecretBytes, purpose: String) throws(CryptographyFailure) {
        func derive(_ use: String) throws(CryptographyFailure) -> SecretBytes {
            try HKDFSHA256.derive(from: root, info: Array("passgate \(use) \(purpose)".utf8), count: 32)
        }
        cipher = try AESGCM(key: derive("seal"))
        hmac = HMACSHA256(key: try derive("digest"))
    }
}

extension UInt8 {
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
    }
}
