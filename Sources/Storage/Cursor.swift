import SecretMemory

/// Where a page begins: the sort key of the last element before it, and the list that it belongs to.
struct Cursor: Equatable {
    /// The lists that have cursors, by the byte that each begins with.
    enum List: UInt8 {
        case cards = 0x63
        case provisionings = 0x70
        case tokens = 0x74
        case events = 0x65
        case destinations = 0x64
        case deliveries = 0x76
        case migrations = 0x6d
    }

    let list: List
    /// The element's number in the order of creation.
    let number: Int64

    init(_ list: List, after number: Int64) {
        self.list = list
        self.number = number
    }

    /// Reads a cursor that this list gave.
    ///
    /// - Throws: `invalidCursor` for any other text.
    init(_ text: String, of list: List) throws(StoreFailure) {
        guard text.utf8.count <= 32,
            let bytes = Base64.decode(SecretBytes(utf8: text), alphabet: .urlSafe)?.reveal(),
            bytes.count == 9, bytes[0] == list.rawValue
        else { throw .invalidCursor }
        let number = bytes.dropFirst().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard number > 0 else { throw .invalidCursor }
        self.init(list, after: number)
    }

    /// The opaque text: base64url of the list's byte and the number, big endian.
    var text: String {
        let bytes = [list.rawValue] + stride(from: Int64(56), through: 0, by: -8).map { UInt8(number >> $0 & 0xff) }
        return Base64.encode(bytes, alphabet: .urlSafe, padded: false)
    }
}

extension PageRequest {
    /// The limit, kept within what a page may hold.
    var clampedLimit: Int { min(max(limit, 1), 100) }

    /// The number after which the page begins; nil where it is the first.
    func start(in list: Cursor.List) throws(StoreFailure) -> Int64? {
        guard let cursor else { return nil }
        return try Cursor(cursor, of: list).number
    }
}

extension Page {
    /// Makes a page of rows that were read one beyond the limit, each with its number.
    init(_ rows: [(number: Int64, element: Element)], limit: Int, of list: Cursor.List) {
        let shown = rows.prefix(limit)
        let next = rows.count > limit ? shown.last.map { Cursor(list, after: $0.number).text } : nil
        self.init(elements: shown.map(\.element), nextCursor: next)
    }
}
