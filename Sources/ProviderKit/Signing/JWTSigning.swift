public import SecretMemory

/// Signs JSON Web Tokens with one private key. The key is loaded and checked by whoever configures the connection.
public protocol JWTSigning: Sendable {
    /// `ES256` or `RS256`.
    var algorithm: String { get }

    /// The signature over the bytes: 64 bytes r‖s for ES256, as long as the modulus for RS256.
    ///
    /// - Throws: ``CryptographyFailure`` where the key cannot sign.
    func signature(of bytes: SecretBytes) throws(CryptographyFailure) -> [UInt8]
}

/// A cryptographic operation failed. The text is ours, and names no key material.
public struct CryptographyFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What failed, in a plain sentence.
    public let description: String

    /// Makes a failure of its sentence.
    public init(_ description: String) { self.description = description }
}
