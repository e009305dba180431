import COpenSSL

/// Comparison that does not tell where two values differ.
public enum ConstantTime: Sendable {
    /// Whether both are equal, in time that depends on the lengths alone.
    public static func equals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
