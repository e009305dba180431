import Provisioning

/// Packs members into few bytes, each text and list with its length before it: one input, one output.
struct PackedWriter {
    private(set) var bytes: [UInt8] = []

    /// Appends a number, 7 bits a byte, the lowest first.
    mutating func append(_ number: Int64) {
        var rest = UInt64(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func append(_ count: Int) { append(Int64(count)) }

    mutating func append(_ text: String) {
        append(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ other: [UInt8]) {
        append(other.count)
        bytes.append(contentsOf: other)
    }

    mutating func append(_ moment: Timestamp) { append(moment.milliseconds) }

    /// Appends whether there is a text, and the text.
    mutating func append(_ text: String?) {
        bytes.append(text == nil ? 0 : 1)
        if let text { append(text) }
    }

    /// Appends whether there is a number, and the number.
    mutating func append(_ number: Int?) {
        bytes.append(number == nil ? 0 : 1)
        if let number { append(number) }
    }

    /// Appends how many elements there are, and each.
    mutating func append<Element>(_ list: [Element], _ each: (inout PackedWriter, Element) -> Void) {
        append(list.count)
        for element in list { each(&self, element) }
    }
}
