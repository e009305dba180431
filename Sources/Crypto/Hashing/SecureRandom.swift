import COpenSSL
public import SecretMemory

/// Random bytes from OpenSSL's generator, which the kernel seeds.
public enum SecureRandom: Sendable {
    /// That many random bytes that are no secret, such as a nonce or an id.
    public static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(RAND_bytes_ex(nil, &bytes, count, 0) > 0, "there are no random numbers to be had")
        return bytes
    }

    /// That many random bytes as a secret, such as a key.
    public static func secret(_ count: Int) -> SecretBytes {
        var bytes = bytes(count)
        return SecretBytes(taking: &bytes)
    }
}
