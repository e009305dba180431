import COpenSSL
public import ProviderKit
public import SecretMemory

/// Derivations that make keys of an agreed secret: for simulated devices and networks.
public enum KeyAgreement: Sendable {
    /// X9.63 with SHA-256 (SEC 1, 3.6.1).
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public static func x963(_ secret: SecretBytes, sharedInfo: [UInt8], count: Int) throws(CryptographyFailure)
        -> SecretBytes
    {
        try derive(OpenSSL.shared.x963, secret, sharedInfo, count)
    }

    /// The one-step or Concat derivation with SHA-256 (NIST SP 800-56A, 5.8.1; SP 800-56C, 4).
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public static func concat(_ secret: SecretBytes, otherInfo: [UInt8], count: Int) throws(CryptographyFailure)
        -> SecretBytes
    {
        try derive(OpenSSL.shared.oneStep, secret, otherInfo, count)
    }

    private static func derive(_ kdf: OpaquePointer, _ secret: SecretBytes, _ info: [UInt8], _ count: Int)
        throws(CryptographyFailure) -> SecretBytes
    {
        guard !secret.isEmpty, (1...8160).contains(count) else {
            throw CryptographyFailure("A derivation needs a secret, and gives 1 to 8160 bytes.")
        }
        var output = [UInt8](repeating: 0, count: count)
        let sound = secret.withUnsafeBytes { secret in
            passgate_shared_info_kdf(
                kdf, secret.bindMemory(to: UInt8.self).baseAddress, secret.count, info, info.count, &output, count) > 0
        }
        guard sound else { throw OpenSSL.failure("The derivation failed.") }
        return SecretBytes(taking: &output)
    }
}
