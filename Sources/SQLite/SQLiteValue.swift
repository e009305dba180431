/// A value on its way into a statement.
public enum SQLiteValue: Sendable, Equatable {
    /// Nothing.
    case null
    /// A whole number.
    case integer(Int64)
    /// Text, as UTF-8.
    case text(String)
    /// Bytes.
    case bytes([UInt8])

    /// How many bytes a statement keeps for it.
    var byteCount: Int {
        switch self {
        case .null, .integer: 0
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }

    /// A number, or nothing.
    public static func integer(orNull number: Int64?) -> SQLiteValue { number.map(SQLiteValue.integer) ?? .null }

    /// Text, or nothing.
    public static func text(orNull text: String?) -> SQLiteValue { text.map(SQLiteValue.text) ?? .null }

    /// Bytes, or nothing.
    public static func bytes(orNull bytes: [UInt8]?) -> SQLiteValue { bytes.map(SQLiteValue.bytes) ?? .null }
}
