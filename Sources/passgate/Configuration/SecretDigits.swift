import SecretMemory

/// Secrets written in hex or base64.
enum SecretDigits {
    /// The bytes of a text in hex, or else in base64 of either alphabet; nil where it is neither.
    static func decode(_ text: SecretText) -> SecretBytes? {
        if let bytes = hex(text.bytes) { return bytes }
        return Base64.decode(text.bytes) ?? Base64.decode(text.bytes, alphabet: .urlSafe)
    }

    /// The bytes of an even number of hex digits; nil where they are not.
    static func hex(_ digits: SecretBytes) -> SecretBytes? {
        guard !digits.isEmpty, digits.count % 2 == 0 else { return nil }
        var builder = SecretBuilder(capacity: digits.count / 2)
        var isHex = true
        digits.withSpan { span in
            for index in stride(from: 0, to: span.count, by: 2) {
                guard let high = value(span[index]), let low = value(span[index + 1]) else {
                    isHex = false
                    return
                }
                builder.append(high << 4 | low)
            }
        }
        let bytes = builder.finish()
        return isHex ? bytes : nil
    }

    /// How many random bytes a text could stand for at most: hex has four bits a character, anything else six.
    static func capacity(of text: Span<UInt8>) -> Int {
        var isHex = true
        for index in 0..<text.count where value(text[index]) == nil { isHex = false }
        return isHex ? text.count / 2 : text.count * 3 / 4
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
