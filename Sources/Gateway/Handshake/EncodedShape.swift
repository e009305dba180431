import SecretMemory

/// What kinds of characters a text in base64 or hexadecimal holds. Each byte is looked up in a table: certificates are long.
struct EncodedShape {
    private(set) var digits = 0
    private(set) var startsLikeJSON = false
    private var kinds: UInt8 = 0

    var isEmpty: Bool { digits == 0 && kinds & (Self.padding | Self.other) == 0 }
    var hasStandardDigits: Bool { kinds & Self.standardDigit != 0 }
    var hasURLDigits: Bool { kinds & Self.urlDigit != 0 }
    var hasPadding: Bool { kinds & Self.padding != 0 }
    var hasLineBreaks: Bool { kinds & Self.lineBreak != 0 }
    var hasOtherBytes: Bool { kinds & Self.other != 0 }

    init(_ text: SecretBytes) {
        text.withSpan { span in
            if span.count > 0 { startsLikeJSON = [0x5b, 0x7b, 0x22].contains(span[0]) }
            var (kinds, digits) = (UInt8(0), 0)
            let table = Self.table.span
            for index in 0..<span.count {
                let kind = table[Int(span[index])]
                kinds |= kind
                digits += Int(kind & Self.digit)
            }
            if kinds & Self.carriageReturn != 0 { kinds |= Self.kind(ofReturnsIn: span) }
            (self.kinds, self.digits) = (kinds, digits)
        }
    }

    /// A carriage return is part of a line break before a line feed, and a stray byte anywhere else.
    private static func kind(ofReturnsIn span: Span<UInt8>) -> UInt8 {
        for index in 0..<span.count where span[index] == 0x0d {
            if index + 1 == span.count || span[index + 1] != 0x0a { return other }
        }
        return lineBreak
    }

    private static let digit: UInt8 = 1
    private static let standardDigit: UInt8 = 2
    private static let urlDigit: UInt8 = 4
    private static let padding: UInt8 = 8
    private static let lineBreak: UInt8 = 16
    private static let carriageReturn: UInt8 = 32
    private static let other: UInt8 = 64

    /// The kinds of every byte.
    private static let table: [UInt8] = (0...255).map { byte in
        switch byte {
        case 0x0a: lineBreak
        case 0x0d: carriageReturn
        case 0x2b, 0x2f: digit | standardDigit
        case 0x2d, 0x5f: digit | urlDigit
        case 0x41...0x5a, 0x61...0x7a, 0x30...0x39: digit
        case 0x3d: padding
        default: other
        }
    }
}
