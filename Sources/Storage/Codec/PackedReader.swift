import Provisioning

/// Reads what a ``PackedWriter`` packed, member by member in the same order.
struct PackedReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all was read.
    var isAtEnd: Bool { position == bytes.count }

    private static var cutShort: StoreFailure { .broken("A packed column is cut short or not of its form.") }

    private mutating func byte() throws(StoreFailure) -> UInt8 {
        guard position < bytes.count else { throw Self.cutShort }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(StoreFailure) -> Int64 {
        var result: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let next = try byte()
            result |= UInt64(next & 0x7f) << shift
            if next < 0x80 { return Int64(bitPattern: result) }
        }
        throw Self.cutShort
    }

    mutating func list() throws(StoreFailure) -> [UInt8] {
        guard let count = Int(exactly: try number()), count >= 0, count <= bytes.count - position else {
            throw Self.cutShort
        }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func text() throws(StoreFailure) -> String { String(decoding: try list(), as: UTF8.self) }

    mutating func moment() throws(StoreFailure) -> Timestamp { Timestamp(milliseconds: try number()) }

    mutating func optionalText() throws(StoreFailure) -> String? { try byte() == 0 ? nil : try text() }

    mutating func optionalNumber() throws(StoreFailure) -> Int? { try byte() == 0 ? nil : Int(try number()) }

    mutating func elements<Element>(_ each: (inout PackedReader) throws(StoreFailure) -> Element)
        throws(StoreFailure) -> [Element]
    {
        let count = try number()
        guard count >= 0, count <= Int64(bytes.count - position) else { throw Self.cutShort }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try each(&self)) }
        return elements
    }

    /// A word of a closed set.
    mutating func word<Word: RawRepresentable>(_ type: Word.Type) throws(StoreFailure) -> Word
    where Word.RawValue == String {
        try Word(stored: try text())
    }
}

extension RawRepresentable<String> {
    /// The value that a stored word means.
    init(stored word: String) throws(StoreFailure) {
        guard let value = Self(rawValue: word) else {
            throw .broken("A row holds a word that this version does not know.")
        }
        self = value
    }
}
