/// Hexadecimal digits between secrets, without a copy that is not wiped.
public enum Hexadecimal: Sendable {
    /// Two lower-case digits a byte.
    public static func encode(_ bytes: SecretBytes) -> SecretBytes {
        let digits = Array("0123456789abcdef".utf8)
        var builder = SecretBuilder(capacity: bytes.count * 2)
        bytes.withSpan { span in
            for index in 0..<span.count {
                builder.append(digits[Int(span[index] >> 4)])
                builder.append(digits[Int(span[index] & 15)])
            }
        }
        return builder.finish()
    }

    /// The bytes that digits of either case stand for; nil where there is another character or half a byte.
    public static func decode(_ digits: SecretBytes) -> SecretBytes? {
        guard digits.count % 2 == 0 else { return nil }
        var builder = SecretBuilder(capacity: digits.count / 2)
        let isWhole = digits.withSpan { span in
            for index in stride(from: 0, to: span.count, by: 2) {
                guard let high = value(of: span[index]), let low = value(of: span[index + 1]) else { return false }
                builder.append(high << 4 | low)
            }
            return true
        }
        return isWhole ? builder.finish() : nil
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        case 0x41...0x46: digit - 0x41 + 10
        default: nil
        }
    }
}
