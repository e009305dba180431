package import Foundation

/// Cuts one member out of a JSON object, byte for byte: what decoding and encoding again would not keep.
package enum RawJSON {
    /// The bytes of the member's value; nil where the object has no such member.
    ///
    /// - Parameter object: A JSON object that a parser has taken: only what it may hold is told apart here, and nothing is
    ///   checked. The name is compared as it is written, so it must be one that JSON does not escape.
    package static func member(_ name: String, of object: Data) -> Data? {
        let bytes = [UInt8](object)
        guard var place = bytes.firstIndex(of: UInt8(ascii: "{")).map({ $0 + 1 }) else { return nil }
        while let key = bytes[place...].firstIndex(of: UInt8(ascii: "\"")) {
            let keyEnd = end(ofText: key, in: bytes)
            guard let colon = bytes[keyEnd...].firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let start = bytes[(colon + 1)...].firstIndex { !isSpace($0) } ?? bytes.endIndex
            let valueEnd = end(ofValue: start, in: bytes)
            if bytes[(key + 1)..<max(keyEnd - 1, key + 1)].elementsEqual(name.utf8) {
                return Data(bytes[start..<valueEnd])
            }
            place = valueEnd
        }
        return nil
    }

    /// Behind the quotation mark that ends the text.
    private static func end(ofText start: Int, in bytes: [UInt8]) -> Int {
        var place = start + 1
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "\""): return place + 1
            default: place += 1
            }
        }
        return bytes.endIndex
    }

    /// Behind the value, without the spaces that follow it.
    private static func end(ofValue start: Int, in bytes: [UInt8]) -> Int {
        var (place, depth) = (start, 0)
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "\""): place = end(ofText: place, in: bytes)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return place }
                depth -= 1
                place += 1
            case UInt8(ascii: ","), 0x20, 0x09, 0x0a, 0x0d:
                if depth == 0 { return place }
                place += 1
                continue
            default:
                place += 1
                continue
            }
            if depth == 0 { return place }
        }
        return bytes.endIndex
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}
