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
        var builder = SecretBuilder(capacity: end * 3 / 4)
        var isSound = true
        builder.extend(by: end * 3 / 4) { output in
            let values = alphabet == .standard ? standardValues : urlSafeValues
            values.withUnsafeBufferPointer { values in
                isSound = decode(digits.extracting(first: end), values, into: output)
            }
        }
        return isSound ? builder.finish() : nil
    }

    /// Writes the bytes of digits without padding. False where one is no digit, or bits are left over.
    private static func decode(
        _ digits: Span<UInt8>, _ values: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        let groups = digits.count / 4
        var seen: UInt8 = 0
        for group in 0..<groups {
            let first = values[Int(digits[group * 4])]
            let second = values[Int(digits[group * 4 + 1])]
            let third = values[Int(digits[group * 4 + 2])]
            let fourth = values[Int(digits[group * 4 + 3])]
            seen |= first | second | third | fourth
            output[group * 3] = first << 2 | second >> 4
            output[group * 3 + 1] = second << 4 | third >> 2
            output[group * 3 + 2] = third << 6 | fourth
        }
        let left = digits.count - groups * 4
        guard left > 1 else { return seen <= 63 }
        let first = values[Int(digits[groups * 4])]
        let second = values[Int(digits[groups * 4 + 1])]
        let third = left == 3 ? values[Int(digits[groups * 4 + 2])] : 0
        seen |= first | second | third
        output[groups * 3] = first << 2 | second >> 4
        if left == 3 { output[groups * 3 + 1] = second << 4 | third >> 2 }
        let isWhole = left == 3 ? third & 3 == 0 : second & 15 == 0
        return seen <= 63 && isWhole
    }

    /// The bytes that the digits of `secret` stand for, or nil as in the other form.
    public static func decode(_ secret: SecretBytes, alphabet: Alphabet = .standard) -> SecretBytes? {
        secret.withSpan { decode($0, alphabet: alphabet) }
    }

    private static let noDigit: UInt8 = 0xff
    private static let standardValues = values(of: standardDigits)
    private static let urlSafeValues = values(of: urlSafeDigits)

    /// What each byte is worth as a digit.
    private static func values(of digits: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: noDigit, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }
}
