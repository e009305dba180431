internal import CSQLite

/// A prepared statement, kept by its connection for the next time.
final class Statement {
    private let handle: OpaquePointer
    private var isInUse = false

    init(_ sql: StaticString, on database: OpaquePointer) throws(SQLiteError) {
        precondition(sql.hasPointerRepresentation, "a statement is longer than one character")
        var handle: OpaquePointer?
        let code = sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: sql.utf8CodeUnitCount) { text in
            sqlite3_prepare_v3(
                database, text, Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        }
        guard code == SQLITE_OK, let handle else { throw SQLiteError(code: code == SQLITE_OK ? SQLITE_MISUSE : code) }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds the values, calls `body` with each row until it returns false, and makes the statement ready for next time.
    func run(_ values: [SQLiteValue], _ body: (borrowing Row) throws -> Bool) throws {
        precondition(!isInUse, "a statement was used within its own rows")
        isInUse = true
        defer { isInUse = false }
        // Texts and bytes stand in one buffer for as long as they are bound, so that SQLite copies none of them.
        let count = values.reduce(0) { $0 + $1.byteCount }
        try withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
            defer {
                sqlite3_reset(handle)
                sqlite3_clear_bindings(handle)
            }
            try bind(values, through: buffer)
            let row = Row(statement: handle)
            while try step() { if try !body(row) { return } }
        }
    }

    private func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteError(code: code)
        }
    }

    private func bind(_ values: [SQLiteValue], through buffer: UnsafeMutableRawBufferPointer) throws(SQLiteError) {
        precondition(
            Int(sqlite3_bind_parameter_count(handle)) == values.count, "a statement has other parameters than values")
        var room = buffer[...]
        for (offset, value) in values.enumerated() {
            let code = bind(value, at: Int32(offset + 1), through: &room)
            if code != SQLITE_OK { throw SQLiteError(code: code) }
        }
    }

    private func bind(
        _ value: SQLiteValue, at index: Int32, through room: inout Slice<UnsafeMutableRawBufferPointer>
    ) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            let copy = text.withUTF8 { Self.take($0.count, of: &room, copying: UnsafeRawBufferPointer($0)) }
            return passgate_bind_text(handle, index, copy.baseAddress, Int32(copy.count))
        case .bytes(let bytes):
            let copy = bytes.withUnsafeBytes { Self.take($0.count, of: &room, copying: $0) }
            return passgate_bind_blob(handle, index, copy.baseAddress, Int32(copy.count))
        }
    }

    private static func take(
        _ count: Int, of room: inout Slice<UnsafeMutableRawBufferPointer>, copying bytes: UnsafeRawBufferPointer
    ) -> UnsafeMutableRawBufferPointer {
        let taken = UnsafeMutableRawBufferPointer(rebasing: room.prefix(count))
        taken.copyMemory(from: bytes)
        room = room.dropFirst(count)
        return taken
    }
}
