internal import CSQLite

/// Why SQLite did not do what it was asked to. It quotes neither a value nor a statement.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What a caller can act on.
    public enum Kind: Sendable {
        /// Another connection has the lock.
        case busy
        /// The disk, or the file's allowance, is full.
        case full
        /// The file or its folder cannot be opened, read or written.
        case unwritable
        /// The file is damaged, or is no database.
        case corrupt
        /// A constraint of the schema forbids it.
        case constraint
        /// Anything else: an error of ours.
        case other
    }

    /// SQLite's extended result code.
    public let code: Int32
    /// SQLite's own words for the code.
    public let message: String

    /// An error for a result code, in SQLite's words or in ours.
    init(code: Int32, message: String? = nil) {
        self.code = code
        self.message = message ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error"
    }

    /// What a caller can act on.
    public var kind: Kind {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .full
        case SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOMEM: .unwritable
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_CONSTRAINT: .constraint
        default: .other
        }
    }

    /// SQLite's words and the extended code.
    public var description: String { "\(message) (\(code))" }
}
