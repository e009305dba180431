/// Percent-encoded texts of paths and queries, read strictly.
enum PercentCoding {
    /// The text, or nil where an escape is not whole or the bytes are no UTF-8.
    ///
    /// - Parameter plusIsSpace: As in queries.
    static func decode(_ text: Span<UInt8>, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            switch text[index] {
            case 0x25:
                guard index + 2 < text.count, let high = hexValue(text[index + 1]), let low = hexValue(text[index + 2])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            case 0x2b where plusIsSpace: bytes.append(0x20)
            case let byte: bytes.append(byte)
            }
            index += 1
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
