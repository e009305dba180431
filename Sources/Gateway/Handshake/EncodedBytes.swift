import SecretMemory

/// Bytes in a text form, read without guessing: one meaning, or a named refusal.
enum EncodedBytes {
    /// What had to be mended so that the text could be read.
    enum Repair: String, Sendable {
        /// Base64 without its padding.
        case paddingAdded = "padding_added"
        /// `-` and `_` in place of `+` and `/`.
        case urlAlphabet = "url_alphabet"
        /// Line breaks, as some encoders put them.
        case lineBreaksRemoved = "line_breaks_removed"
    }

    /// Why a text was not read. The sentence names the form that was seen, never the value.
    struct Refusal: Error, Sendable, Equatable {
        let detail: String
        var isAmbiguous = false
    }

    /// Reads base64 in either alphabet, with or without padding, on one line or wrapped.
    static func base64(_ text: SecretBytes, repairs: inout [Repair]) throws(Refusal) -> SecretBytes {
        let shape = EncodedShape(text)
        if shape.isEmpty { throw Refusal(detail: "is empty") }
        if shape.startsLikeJSON { throw Refusal(detail: "is a JSON text inside a string; send the value itself") }
        if shape.hasOtherBytes { throw Refusal(detail: "holds characters that base64 does not have") }
        if shape.hasStandardDigits, shape.hasURLDigits {
            throw Refusal(detail: "mixes the base64 and the base64url alphabet")
        }
        let alphabet: Base64.Alphabet = shape.hasURLDigits ? .urlSafe : .standard
        guard let bytes = Base64.decode(shape.hasLineBreaks ? withoutLineBreaks(text) : text, alphabet: alphabet) else {
            throw Refusal(detail: "is not whole base64: its length, its padding or its last digit is wrong")
        }
        if shape.hasLineBreaks { repairs.append(.lineBreaksRemoved) }
        if shape.hasURLDigits { repairs.append(.urlAlphabet) }
        if !shape.hasPadding, shape.digits % 4 != 0 { repairs.append(.paddingAdded) }
        return bytes
    }

    /// Reads hexadecimal digits in either case, on one line or wrapped.
    static func hex(_ text: SecretBytes, repairs: inout [Repair]) throws(Refusal) -> SecretBytes {
        let hasLineBreaks = EncodedShape(text).hasLineBreaks
        let digits = hasLineBreaks ? withoutLineBreaks(text) : text
        if digits.isEmpty { throw Refusal(detail: "is empty") }
        guard digits.count % 2 == 0 else { throw Refusal(detail: "is hex with an odd number of digits") }
        guard let bytes = Hexadecimal.decode(digits) else {
            throw Refusal(detail: "holds characters that are no hexadecimal digits")
        }
        if hasLineBreaks { repairs.append(.lineBreaksRemoved) }
        return bytes
    }

    /// Whether a text without a declared encoding reads as hex as well as base64: at least 8 digits, an even number,
    /// unpadded, all of one case; or hex with `0x` before it.
    static func readsAsHex(_ text: SecretBytes) -> Bool {
        let found = HexDigits(in: text)
        return found.isAlone && found.count >= 8 && found.count % 2 == 0 && !(found.hasLower && found.hasUpper)
    }

    /// Whether a text is at least 8 hexadecimal digits and nothing else, in whatever case.
    static func isHexAlone(_ text: SecretBytes) -> Bool {
        let found = HexDigits(in: text)
        return found.isAlone && !found.hasPrefix && found.count >= 8 && found.count % 2 == 0
    }

    /// The hexadecimal digits of a text, past its line breaks, up to the first character that is none.
    private struct HexDigits {
        var count = 0
        var hasLower = false
        var hasUpper = false
        /// `0x` stands before them.
        var hasPrefix = false
        /// Nothing else is there.
        var isAlone = true

        init(in text: SecretBytes) {
            text.withSpan { span in
                for index in 0..<span.count {
                    switch span[index] {
                    case 0x30...0x39: count += 1
                    case 0x61...0x66:
                        count += 1
                        hasLower = true
                    case 0x41...0x46:
                        count += 1
                        hasUpper = true
                    case 0x0a: break
                    case 0x0d where index + 1 < span.count && span[index + 1] == 0x0a: break
                    case 0x58, 0x78:
                        guard count == 1, !hasPrefix, !hasLower, !hasUpper, startsWithZero(span) else {
                            isAlone = false
                            return
                        }
                        hasPrefix = true
                        count = 0
                    default:
                        isAlone = false
                        return
                    }
                }
            }
        }

        private func startsWithZero(_ span: Span<UInt8>) -> Bool {
            for index in 0..<span.count where span[index] != 0x0a && span[index] != 0x0d { return span[index] == 0x30 }
            return false
        }
    }

    private static func withoutLineBreaks(_ text: SecretBytes) -> SecretBytes {
        var builder = SecretBuilder(capacity: text.count)
        text.withSpan { span in
            for index in 0..<span.count {
                let isReturn = span[index] == 0x0d && index + 1 < span.count && span[index + 1] == 0x0a
                if span[index] != 0x0a, !isReturn { builder.append(span[index]) }
            }
        }
        return builder.finish()
    }
}
