public import ProviderKit
public import SecretMemory
import Synchronization

/// Cryptography for adapters that have no business with any: it signs and encrypts nothing.
///
/// Random bytes are the same in every run. Digests only tell different bytes apart; they are not those they are named for.
public final class StandInCryptography: AdapterCryptography {
    private let random: Mutex<DeterministicRandom>

    /// Starts the random bytes from a seed.
    public init(seed: UInt64 = 1) { random = Mutex(DeterministicRandom(seed: seed)) }

    /// Always throws.
    public func signer(pem: SecretText, algorithm: String) throws(CryptographyFailure) -> any JWTSigning {
        throw CryptographyFailure("This double signs nothing.")
    }

    /// Always throws.
    public func enveloper(certificate: SecretText, keyTransport: KeyTransport) throws(CryptographyFailure)
        -> any EnvelopeMaking
    {
        throw CryptographyFailure("This double encrypts nothing.")
    }

    /// 32 bytes that depend on key and bytes.
    public func hmacSHA256(key: SecretBytes, _ bytes: [SecretBytes]) -> [UInt8] { sha256([key] + bytes) }

    /// 32 bytes that depend on the bytes.
    public func sha256(_ bytes: [SecretBytes]) -> [UInt8] {
        let hash = bytes.flatMap { $0.reveal() }.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        var digest = DeterministicRandom(seed: hash)
        return digest.bytes(32)
    }

    /// Whether both are equal.
    public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool { left == right }

    /// The next random bytes of the seed.
    public func random(_ count: Int) -> [UInt8] { random.withLock { $0.bytes(count) } }
}
