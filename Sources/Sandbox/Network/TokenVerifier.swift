import Crypto
public import ProviderKit
public import SecretMemory

/// Verifies JSON Web Tokens with a public key, as a processor does that was given it at onboarding.
public struct TokenVerifier: Sendable {
    /// `ES256` or `RS256`, by the kind of key: no other algorithm goes with it.
    public let algorithm: String
    private let key: PublicKey

    /// Takes a public key in PEM.
    ///
    /// - Throws: `CryptographyFailure` where it is none on P-256, and no RSA key.
    public init(publicKeyPEM: String) throws(CryptographyFailure) { self.init(try PublicKey(pem: publicKeyPEM)) }

    private init(_ key: PublicKey) {
        self.key = key
        algorithm = key.kind == .p256 ? "ES256" : "RS256"
    }

    /// A new pair on P-256: who verifies, and the private key in PEM for who signs.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public static func makePair() throws(CryptographyFailure) -> (verifier: TokenVerifier, privateKeyPEM: SecretText) {
        let key = try P256PrivateKey()
        return (TokenVerifier(key.publicKey), try key.pem())
    }

    /// A new RSA pair of 2048 bits, likewise. Making it takes a moment.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public static func makeRSAPair() throws(CryptographyFailure) -> (verifier: TokenVerifier, privateKeyPEM: SecretText)
    {
        let key = try RSAPrivateKey()
        return (TokenVerifier(key.publicKey), try key.pem())
    }

    /// Header and claims of a token in compact form; nil where it is none, or not signed with the key. What they say is
    /// not looked at.
    public func read(_ token: SecretText, with json: any JSONParsing) -> (header: JSONView, claims: JSONView)? {
        let parts = token.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts.contains(where: { $0.contains("=") }) else { return nil }
        let bytes = parts.compactMap { Base64.decode(SecretBytes(utf8: $0), alphabet: .urlSafe) }
        guard bytes.count == 3, verifies(bytes[2].reveal(), of: SecretBytes(utf8: "\(parts[0]).\(parts[1])")),
            let header = try? json.parse(bytes[0]).root, let claims = try? json.parse(bytes[1]).root
        else { return nil }
        return (header, claims)
    }

    /// Whether the signature over the bytes is the key's: 64 bytes r‖s for ES256.
    public func verifies(_ signature: [UInt8], of bytes: SecretBytes) -> Bool {
        key.verifiesJWT(signature, of: bytes)
    }
}
