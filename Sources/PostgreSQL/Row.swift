internal import CPostgreSQL

/// One row of a result, good until the closure that it was given to returns. Columns count from 0.
public struct Row: ~Copyable {
    private let result: OpaquePointer
    private let index: Int32

    init(result: OpaquePointer, index: Int32) {
        self.result = result
        self.index = index
    }

    /// Whether the column holds nothing.
    public func isNull(_ column: Int32) -> Bool { PQgetisnull(result, index, column) != 0 }

    /// A column's number, of whichever size, or its boolean as 0 or 1; 0 where it holds nothing.
    public func integer(_ column: Int32) -> Int64 {
        let bytes = raw(column)
        guard let first = bytes.first, bytes.count <= 8 else { return 0 }
        return bytes.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    /// A column's number, or nil where it holds nothing.
    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// A column's text; empty where it holds nothing.
    public func text(_ column: Int32) -> String { String(decoding: raw(column), as: UTF8.self) }

    /// A column's text, or nil where it holds nothing.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A column's bytes; empty where it holds nothing.
    public func bytes(_ column: Int32) -> [UInt8] { Array(raw(column)) }

    /// A column's bytes, or nil where it holds nothing.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    private func raw(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column)))
    }
}
