import COpenSSL
public import SecretMemory
import Synchronization

/// Random bytes from OpenSSL's generator, which the kernel seeds.
public enum SecureRandom: Sendable {
    /// Bytes that were made and have not been given out. OpenSSL's price is by the call: one call serves many ids.
    private static let ahead = Mutex<[UInt8]>([])
    private static let aheadCount = 1024
    /// The longest id. What is longer is a key, of which nothing may stay behind.
    private static let idLimit = 24

    /// That many random bytes that are no secret, such as a nonce or an id.
    public static func bytes(_ count: Int) -> [UInt8] {
        guard count <= idLimit else { return make(count) }
        return ahead.withLock { ahead in
            if ahead.count < count { ahead = make(aheadCount) }
            defer { ahead.removeLast(count) }
            return Array(ahead.suffix(count))
        }
    }

    /// That many random bytes as a secret, such as a key. Nobody has seen them, and nothing keeps them.
    public static func secret(_ count: Int) -> SecretBytes {
        var bytes = make(count)
        return SecretBytes(taking: &bytes)
    }

    private static func make(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(RAND_bytes_ex(nil, &bytes, count, 0) > 0, "there are no random numbers to be had")
        return bytes
    }
}
