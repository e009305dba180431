public import ProviderKit
public import SecretMemory

/// What adapters are given for cryptography, on OpenSSL.
public struct OpenSSLCryptography: AdapterCryptography {
    /// Makes one; it has no state.
    public init() {}

    /// Loads a private key from PEM text. Line ends written as `\n`, quotes around the text and spaces are repaired.
    ///
    /// - Throws: `CryptographyFailure`, which names the damaged line, or what the key is in place of what it should be.
    public func signer(pem: SecretText, algorithm: String) throws(CryptographyFailure) -> any JWTSigning {
        switch algorithm {
        case "ES256": return try ES256Signer(key: KeyHandle.privateKey(pem: pem))
        case "RS256": return try RS256Signer(key: KeyHandle.privateKey(pem: pem))
        default: throw CryptographyFailure("The algorithm must be ES256 or RS256.")
        }
    }

    /// A maker of CMS EnvelopedData for the holder of the certificate: PEM, base64 of DER, or base64 of PEM.
    ///
    /// - Throws: `CryptographyFailure` where the certificate cannot be read, or its key is no RSA key of 2048 bits or more.
    public func enveloper(certificate: SecretText, keyTransport: KeyTransport) throws(CryptographyFailure)
        -> any EnvelopeMaking
    {
        try EnvelopeMaker(certificate: Certificate(text: certificate), keyTransport: keyTransport)
    }

    /// HMAC-SHA256 of the pieces, one after the other.
    public func hmacSHA256(key: SecretBytes, _ bytes: [SecretBytes]) -> [UInt8] { HMACSHA256.code(key: key, of: bytes) }

    /// SHA-256 of the pieces, one after the other.
    public func sha256(_ bytes: [SecretBytes]) -> [UInt8] { SHA256.digest(of: bytes) }

    /// Whether both are equal, in time that depends on the lengths alone.
    public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool { ConstantTime.equals(left, right) }

    /// That many random bytes.
    public func random(_ count: Int) -> [UInt8] { SecureRandom.bytes(count) }
}
