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
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
            isInUse = false
        }
        try bind(values)
        let row = Row(statement: handle)
        while try step() { if try !body(row) { return } }
    }

    private func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteError(code: code)
        }
    }

    private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        precondition(
            Int(sqlite3_bind_parameter_count(handle)) == values.count, "a statement has other parameters than values")
        for (offset, value) in values.enumerated() {
            let code = bind(value, at: Int32(offset + 1))
            if code != SQLITE_OK { throw SQLiteError(code: code) }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    passgate_bind_text(handle, index, $0.baseAddress, Int32($0.count))
                }
            }
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { passgate_bind_blob(handle, index, $0.baseAddress, Int32($0.count)) }
        }
    }
}
