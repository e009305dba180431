public import SecretMemory

/// Percent-encoding (RFC 3986): everything but letters, digits and `-._~` is escaped.
public enum PercentEncoding: Sendable {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The encoded form of text that is no secret.
    public static func encode(_ text: String) -> String {
        var builder = SecretBuilder(capacity: text.utf8.count)
        encode(text.utf8.span, into: &builder)
        return builder.finish().revealText() ?? ""
    }

    /// Appends the encoded form of `bytes`.
    public static func encode(_ bytes: Span<UInt8>, into builder: inout SecretBuilder) {
        for index in 0..<bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x61...0x7a, 0x41...0x5a, 0x30...0x39, 0x2d, 0x2e, 0x5f, 0x7e: builder.append(byte)
            default:
                builder.append(0x25)
                builder.append(digits[Int(byte >> 4)])
                builder.append(digits[Int(byte & 15)])
            }
        }
    }
}
