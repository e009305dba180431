import PostgreSQL
import SQLite

/// A row of a result, whichever store it comes from: what stands in a table is read by the same rule in both.
protocol StoredRow: ~Copyable {
    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int64
    func optionalInteger(_ column: Int32) -> Int64?
    func text(_ column: Int32) -> String
    func optionalText(_ column: Int32) -> String?
    func bytes(_ column: Int32) -> [UInt8]
    func optionalBytes(_ column: Int32) -> [UInt8]?
}

extension SQLite.Row: StoredRow {}
extension PostgreSQL.Row: StoredRow {}
