/// Base64 (RFC 4648) between secrets, without a copy that is not wiped.
public enum Base64: Sendable {
    /// Which 62nd and 63rd digits are used.
    public enum Alphabet: Sendable {
        /// `+` and `/`.
        case standard
        /// `-` and `_`.
        case urlSafe
    }

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardDigits = Array("\(common)+/".utf8)
    private static let urlSafeDigits = Array("\(common)-_".utf8)

    /// Appends the base64 digits of `bytes` on one line.
    public static func encode(
        _ bytes: Span<UInt8>, alphabet: Alphabet = .standard, padded: Bool = true, into builder: inout SecretBuilder
    ) {
        let left = bytes.count % 3
        let whole = bytes.count / 3
        let tail = left == 0 ? 0 : padded ? 4 : left + 1
        let digits = alphabet == .standard ? standardDigits : urlSafeDigits
        builder.extend(by: whole * 4 + tail) { output in
            digits.withUnsafeBufferPointer { digits in
                for group in 0..<whole {
                    let (first, second, third) = (bytes[group * 3], bytes[group * 3 + 1], bytes[group * 3 + 2])
                    output[group * 4] = digits[Int(first >> 2)]
                    output[group * 4 + 1] = digits[Int(first << 4 & 63 | second >> 4)]
                    output[group * 4 + 2] = digits[Int(second << 2 & 63 | third >> 6)]
                    output[group * 4 + 3] = digits[Int(third & 63)]
                }
                guard left > 0 else { return }
                let first = bytes[whole * 3]
                let second = left == 2 ? bytes[whole * 3 + 1] : 0
                output[whole * 4] = digits[Int(first >> 2)]
                output[whole * 4 + 1] = digits[Int(first << 4 & 63 | second >> 4)]
                if left == 2 { output[whole * 4 + 2] = digits[Int(second << 2 & 63)] }
                if padded {
                    if left == 1 { output[whole * 4 + 2] = 0x3d }
                    output[whole * 4 + 3] = 0x3d
                }
            }
        }
    }

    /// The base64 digits of `bytes` on one line.
    public static func encode(_ bytes: SecretBytes, alphabet: Alphabet = .standard, padded: Bool = true) -> SecretBytes
    {
        var builder = SecretBuilder(capacity: bytes.count * 4 / 3 + 4)
        bytes.withSpan { encode($0, alphabet: alphabet, padded: padded, into: &builder) }
        return builder.finish()
    }

    /// The base64 digits of bytes that are no secret.
    public static func encode(_ bytes: [UInt8], alphabet: Alphabet = .standard, padded: Bool = true) -> String {
        encode(SecretBytes(bytes), alphabet: alphabet, padded: padded).revealText() ?? ""
    }

    /// The bytes that `digits` stand for, or nil unless they are exactly one alphabet's digits with whole or no padding
    /// and no bits left over. White space is refused: who accepts it removes it first, and says so.
    public static func decode(_ digits: Span<UInt8>, alphabet: Alphabet = .standard) -> SecretBytes? {
        var end = digits.count
        while end > 0, digits[end - 1] == 0x3d, digits.count - end < 2 { end -= 1 }
        let padding = digits.count - end
        guard padding == 0 || digits.count % 4 == 0, end % 4 != 1 else { return nil }
        var builder = SecretBuilder(capacity: end * 3 / 4 + 1)
        var group: UInt32 = 0
        var bits = 0
        for index in 0..<end {
            guard let value = value(of: digits[index], alphabet) else { return nil }
            group = group << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                builder.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
                group &= (1 << UInt32(bits)) - 1
            }
        }
        return group == 0 ? builder.finish() : nil
    }

    /// The bytes that the digits of `secret` stand for, or nil as in the other form.
    public static func decode(_ secret: SecretBytes, alphabet: Alphabet = .standard) -> SecretBytes? {
        secret.withSpan { decode($0, alphabet: alphabet) }
    }

    private static func value(of digit: UInt8, _ alphabet: Alphabet) -> UInt32? {
        switch digit {
        case 0x41...0x5a: UInt32(digit - 0x41)
        case 0x61...0x7a: UInt32(digit - 0x61 + 26)
        case 0x30...0x39: UInt32(digit - 0x30 + 52)
        case 0x2b where alphabet == .standard: 62
        case 0x2f where alphabet == .standard: 63
        case 0x2d where alphabet == .urlSafe: 62
        case 0x5f where alphabet == .urlSafe: 63
        default: nil
        }
    }
}
