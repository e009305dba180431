public import SecretMemory

/// The cryptography that adapters may use. The gateway's implementation is OpenSSL.
public protocol AdapterCryptography: Sendable {
    /// Loads a private key from PEM text and checks that it fits the algorithm (`ES256`: P-256; `RS256`: RSA of at
    /// least 2048 bits).
    ///
    /// - Throws: ``CryptographyFailure``, which names the fault: the line of a damaged PEM, the kind or size of the key.
    func signer(pem: SecretText, algorithm: String) throws(CryptographyFailure) -> any JWTSigning

    /// A maker of CMS EnvelopedData to the certificate (PEM, base64 or base64 of PEM), with AES-256-CBC.
    ///
    /// - Throws: ``CryptographyFailure`` where the certificate cannot be read or its key is under 2048 bits.
    func enveloper(certificate: SecretText, keyTransport: KeyTransport) throws(CryptographyFailure)
        -> any EnvelopeMaking

    /// HMAC-SHA256 of the bytes.
    func hmacSHA256(key: SecretBytes, _ bytes: [SecretBytes]) -> [UInt8]

    /// SHA-256 of the bytes.
    func sha256(_ bytes: [SecretBytes]) -> [UInt8]

    /// Whether both are equal, in time that depends on the lengths alone.
    func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool

    /// That many random bytes.
    func random(_ count: Int) -> [UInt8]
}

/// How a content key travels to a certificate's holder.
public enum KeyTransport: String, Sendable, CaseIterable {
    /// RSA-OAEP, with SHA-256 for the hash and for MGF1.
    case oaepSHA256 = "oaep-sha256"
    /// RSA PKCS#1 v1.5.
    case pkcs1v15
}

/// Encrypts for the holder of one certificate.
public protocol EnvelopeMaking: Sendable {
    /// A CMS EnvelopedData in DER, whose parameters were read back and found as asked for.
    ///
    /// - Throws: ``CryptographyFailure`` where it could not be made.
    func envelope(_ content: SecretBytes) throws(CryptographyFailure) -> SecretBytes
}
