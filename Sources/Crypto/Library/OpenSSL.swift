import COpenSSL
import ProviderKit

/// Algorithms that are looked up once: OpenSSL's own look-up takes a lock and longer than a short digest.
///
/// Safe to share: a fetched algorithm is immutable and reference counted, and this reference is never given up.
struct OpenSSL: @unchecked Sendable {
    static let shared = OpenSSL()

    let sha256: OpaquePointer
    let aes256GCM: OpaquePointer
    let hmac: OpaquePointer
    let hkdf: OpaquePointer
    let x963: OpaquePointer
    let oneStep: OpaquePointer

    private init() {
        guard let sha256 = EVP_MD_fetch(nil, "SHA2-256", nil),
            let aes256GCM = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil),
            let hmac = EVP_MAC_fetch(nil, "HMAC", nil), let hkdf = EVP_KDF_fetch(nil, "HKDF", nil),
            let x963 = EVP_KDF_fetch(nil, "X963KDF", nil), let oneStep = EVP_KDF_fetch(nil, "SSKDF", nil)
        else { preconditionFailure("this build of OpenSSL lacks an algorithm that Passgate cannot do without") }
        self.sha256 = sha256
        self.aes256GCM = aes256GCM
        self.hmac = hmac
        self.hkdf = hkdf
        self.x963 = x963
        self.oneStep = oneStep
    }

    /// A failure with our sentence. OpenSSL's own errors of this thread are dropped, since they may quote input.
    static func failure(_ sentence: String) -> CryptographyFailure {
        ERR_clear_error()
        return CryptographyFailure(sentence)
    }
}
