/// Looks in a text of ours for what the other side sent and may not be shown: a run of characters that could be a key, a
/// nonce or a payload.
enum Echo {
    private static let length = 16

    /// The first such run of the text that the input holds too; nil where there is none.
    static func find(of input: [UInt8], in text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= length, input.count >= length else { return nil }
        for start in 0...(bytes.count - length) {
            let run = bytes[start..<(start + length)]
            if isDense(run), contains(run, input) { return String(decoding: run, as: UTF8.self) }
        }
        return nil
    }

    /// Whether it looks like no word of ours: digits and letters of both cases, and nothing that stands between words.
    private static func isDense(_ run: ArraySlice<UInt8>) -> Bool {
        var (hasDigit, hasUpper, hasLower) = (false, false, false)
        for byte in run {
            switch byte {
            case 0x30...0x39: hasDigit = true
            case 0x41...0x5a: hasUpper = true
            case 0x61...0x7a: hasLower = true
            case 0x2b, 0x2d, 0x2f, 0x3d, 0x5f: break
            default: return false
            }
        }
        return hasDigit && hasUpper && hasLower
    }

    private static func contains(_ run: ArraySlice<UInt8>, _ input: [UInt8]) -> Bool {
        guard let first = run.first else { return false }
        for start in 0...(input.count - run.count) where input[start] == first {
            if input[start..<(start + run.count)].elementsEqual(run) { return true }
        }
        return false
    }
}
