internal import CSQLite

/// One row of a result, good until the closure that it was given to returns. Columns count from 0.
public struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(statement: OpaquePointer) { self.statement = statement }

    /// Whether the column holds nothing.
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// A column's number; 0 where it holds nothing.
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// A column's number, or nil where it holds nothing.
    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// A column's text; empty where it holds nothing.
    public func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column's text, or nil where it holds nothing.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A column's bytes; empty where it holds nothing.
    public func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// A column's bytes, or nil where it holds nothing.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}
