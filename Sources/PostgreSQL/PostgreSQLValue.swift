/// A value on its way into a statement.
public enum PostgreSQLValue: Sendable, Equatable {
    /// Nothing.
    case null
    /// A whole number; for a boolean, 0 or 1.
    case integer(Int64)
    /// Text, as UTF-8.
    case text(String)
    /// Bytes.
    case bytes([UInt8])

    /// A number, or nothing.
    public static func integer(orNull number: Int64?) -> PostgreSQLValue {
        number.map(PostgreSQLValue.integer) ?? .null
    }

    /// Text, or nothing.
    public static func text(orNull text: String?) -> PostgreSQLValue { text.map(PostgreSQLValue.text) ?? .null }

    /// Bytes, or nothing.
    public static func bytes(orNull bytes: [UInt8]?) -> PostgreSQLValue { bytes.map(PostgreSQLValue.bytes) ?? .null }
}
