import COpenSSL
import ProviderKit
import SecretMemory

/// Signs with SHA-256 and one private key, whose state is prepared once.
///
/// Safe to share: the prepared state is only ever read, to make copies of it.
final class Signer: @unchecked Sendable {
    let key: KeyHandle
    private let prepared: OpaquePointer

    init(key: KeyHandle) throws(CryptographyFailure) {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSL.failure("There is no memory for a signer.") }
        guard EVP_DigestSignInit_ex(context, nil, "SHA2-256", nil, nil, key.pointer, nil) > 0 else {
            EVP_MD_CTX_free(context)
            throw OpenSSL.failure("The key cannot sign.")
        }
        self.key = key
        prepared = context
    }

    deinit { EVP_MD_CTX_free(prepared) }

    /// DER for an EC key, as long as the modulus for RSA (PKCS#1 v1.5).
    func signature(of bytes: SecretBytes) throws(CryptographyFailure) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key.pointer)))
        var count = output.count
        let sound = bytes.withUnsafeBytes { buffer in
            EVP_MD_CTX_copy_ex(context, prepared) > 0
                && EVP_DigestSign(
                    context, &output, &count, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count) > 0
        }
        guard sound else { throw OpenSSL.failure("The key could not sign.") }
        return Array(output[..<count])
    }
}

/// ES256 (RFC 7518): ECDSA on P-256, as r‖s.
struct ES256Signer: JWTSigning {
    let algorithm = "ES256"
    private let signer: Signer

    init(key: KeyHandle) throws(CryptographyFailure) {
        guard key.isP256 else { throw CryptographyFailure("ES256 needs an EC key on P-256; this is \(key.kind).") }
        signer = try Signer(key: key)
    }

    func signature(of bytes: SecretBytes) throws(CryptographyFailure) -> [UInt8] {
        guard let signature = ECDSASignature.fixed(der: try signer.signature(of: bytes)) else {
            throw OpenSSL.failure("The signature could not be brought into its form.")
        }
        return signature
    }
}

/// RS256 (RFC 7518): RSA PKCS#1 v1.5.
struct RS256Signer: JWTSigning {
    let algorithm = "RS256"
    private let signer: Signer

    init(key: KeyHandle) throws(CryptographyFailure) {
        guard key.isRSA, key.bits >= 2048 else {
            throw CryptographyFailure("RS256 needs an RSA key of at least 2048 bits; this is \(key.kind).")
        }
        signer = try Signer(key: key)
    }

    func signature(of bytes: SecretBytes) throws(CryptographyFailure) -> [UInt8] { try signer.signature(of: bytes) }
}
