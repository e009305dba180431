import COpenSSL
public import ProviderKit
public import SecretMemory

/// A certificate that this side of a TLS connection shows, and its private key, of whatever kind.
public enum ClientIdentity {
    /// Sees that the key can be read and is the certificate's.
    ///
    /// - Parameters:
    ///   - certificate: The leaf.
    ///   - key: PEM text of a private key without a passphrase.
    /// - Throws: `CryptographyFailure` where it is not, in words that hold nothing of the key.
    public static func check(_ certificate: Certificate, key: SecretText) throws(CryptographyFailure) {
        let key = try KeyHandle.privateKey(pem: key)
        let certified = certificate.publicKeyInfo.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return KeyHandle(d2i_PUBKEY(nil, &position, buffer.count))
        }
        guard let certified else { throw OpenSSL.failure("The certificate's key cannot be read.") }
        guard EVP_PKEY_eq(certified.pointer, key.pointer) == 1 else {
            throw OpenSSL.failure("The key is not the certificate's.")
        }
    }
}
