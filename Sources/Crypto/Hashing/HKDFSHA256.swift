import COpenSSL
public import ProviderKit
public import SecretMemory

/// HKDF with SHA-256 (RFC 5869), extract and expand.
public enum HKDFSHA256: Sendable {
    /// Derives `count` bytes, at most 8160, from a secret that is not empty.
    ///
    /// - Throws: `CryptographyFailure` where the lengths do not allow it.
    public static func derive(from secret: SecretBytes, salt: [UInt8] = [], info: [UInt8], count: Int)
        throws(CryptographyFailure) -> SecretBytes
    {
        guard !secret.isEmpty, (1...8160).contains(count) else {
            throw CryptographyFailure("HKDF needs a secret, and gives 1 to 8160 bytes.")
        }
        var output = [UInt8](repeating: 0, count: count)
        let sound = secret.withUnsafeBytes { secret in
            passgate_hkdf_sha256(
                OpenSSL.shared.hkdf, secret.bindMemory(to: UInt8.self).baseAddress, secret.count, salt, salt.count,
                info,
                info.count, &output, count) > 0
        }
        guard sound else { throw OpenSSL.failure("HKDF failed.") }
        return SecretBytes(taking: &output)
    }
}
