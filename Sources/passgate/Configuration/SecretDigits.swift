import SecretMemory

/// Secrets written in hex or base64.
enum SecretDigits {
    /// The bytes of a text in hex, or else in base64 of either alphabet; nil where it is neither.
    static func decode(_ text: SecretText) -> SecretBytes? {
        if let bytes = hex(text.bytes) { return bytes }
        return Base64.decode(text.bytes) ?? Base64.decode(text.bytes, alphabet: .urlSafe)
    }

    /// The bytes of hex digits; nil where there are none, or something else.
    static func hex(_ digits: SecretBytes) -> SecretBytes? {
        digits.isEmpty ? nil : Hexadecimal.decode(digits)
    }

    /// How many random bytes a text could stand for at most: hex has four bits a character, anything else six.
    static func capacity(of text: Span<UInt8>) -> Int {
        for index in 0..<text.count {
            switch text[index] {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: continue
            default: return text.count * 3 / 4
            }
        }
        return text.count / 2
    }
}
