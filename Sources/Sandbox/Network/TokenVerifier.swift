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

    /// Whether the signature over the bytes is the key's: 64 bytes r‖s for ES256.
    public func verifies(_ signature: [UInt8], of bytes: SecretBytes) -> Bool {
        key.verifiesJWT(signature, of: bytes)
    }
}
