import COpenSSL
public import ProviderKit
public import SecretMemory

/// A private key on P-256, made here: for simulated devices and networks, and for tests.
public struct P256PrivateKey: Sendable {
    /// The public half.
    public let publicKey: PublicKey
    let handle: KeyHandle
    private let signer: Signer

    /// Makes a new key.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public init() throws(CryptographyFailure) {
        guard let handle = KeyHandle(passgate_p256_generate()) else { throw OpenSSL.failure("No key could be made.") }
        self.handle = handle
        publicKey = try PublicKey(handle)
        signer = try Signer(key: handle)
    }

    /// The public half as an uncompressed point, 65 bytes.
    public var publicPoint: [UInt8] { publicKey.p256Point ?? [] }

    /// The key in PKCS#8, as PEM text.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public func pem() throws(CryptographyFailure) -> SecretText { try handle.pem() }

    /// An ECDSA signature with SHA-256, in DER.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public func signature(of bytes: SecretBytes) throws(CryptographyFailure) -> [UInt8] {
        try signer.signature(of: bytes)
    }

    /// The secret that this key and the other side's agree on (ECDH): 32 bytes, to be put through a derivation of
    /// ``KeyAgreement``.
    ///
    /// - Throws: `CryptographyFailure` where the other key is not on P-256.
    public func sharedSecret(with other: PublicKey) throws(CryptographyFailure) -> SecretBytes {
        guard other.kind == .p256 else { throw CryptographyFailure("The other key is not on P-256.") }
        let context = EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: 32)
        var count = output.count
        guard EVP_PKEY_derive_init(context) > 0, EVP_PKEY_derive_set_peer(context, other.handle.pointer) > 0,
            EVP_PKEY_derive(context, &output, &count) > 0, count == 32
        else { throw OpenSSL.failure("The keys could not agree.") }
        return SecretBytes(taking: &output)
    }
}
