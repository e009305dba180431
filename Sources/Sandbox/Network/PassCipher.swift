import Crypto
import ProviderKit
import SecretMemory

/// How a pass is encrypted for one device, after the form that Apple documents for EC_v2 payment tokens.
///
/// A one-time key on P-256 and the device's leaf key agree on a secret (ECDH). X9.63 with SHA-256 makes an AES-256 key
/// of it; the shared info is `0x0d`, `id-aes256-GCM`, `Apple` and the SHA-256 of the leaf's point. AES-GCM runs with a
/// nonce of 16 zero bytes, which is sound because no key serves twice. What Apple asks of issuers in push provisioning
/// is not public: this form is simulated, and proves that bytes arrive unaltered, nothing more.
enum PassCipher {
    private static let nonce = [UInt8](repeating: 0, count: 16)

    /// Encrypts for the holder of the key.
    static func seal(_ content: SecretBytes, to device: PublicKey) throws(CryptographyFailure)
        -> (sealed: [UInt8], ephemeralPoint: [UInt8])
    {
        let ephemeral = try P256PrivateKey()
        let cipher = try cipher(try ephemeral.sharedSecret(with: device), device: device)
        return (try cipher.seal(content, nonce: nonce, associatedData: []), ephemeral.publicPoint)
    }

    /// Decrypts with the device's key.
    static func open(_ sealed: [UInt8], ephemeralPoint: [UInt8], with key: P256PrivateKey) throws(CryptographyFailure)
        -> SecretBytes
    {
        let secret = try key.sharedSecret(with: try PublicKey(p256Point: ephemeralPoint))
        return try cipher(secret, device: key.publicKey).open(sealed, nonce: nonce, associatedData: [])
    }

    private static func cipher(_ secret: SecretBytes, device: PublicKey) throws(CryptographyFailure) -> AESGCM {
        let info =
            [0x0d] + Array("id-aes256-GCM".utf8) + Array("Apple".utf8) + SHA256.digest(of: device.p256Point ?? [])
        return try AESGCM(key: try KeyAgreement.x963(secret, sharedInfo: info, count: 32))
    }
}
