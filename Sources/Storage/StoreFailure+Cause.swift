import PostgreSQL
import SQLite

extension StoreFailure {
    /// What a failure in the store's own work is to its callers.
    init(_ error: any Error) {
        switch error {
        case let failure as StoreFailure: self = failure
        case let error as SQLiteError: self.init(error)
        case let error as PostgreSQLError: self.init(error)
        default: self = .broken("The store failed in a way that it does not know.")
        }
    }

    private init(_ error: SQLiteError) {
        switch error.kind {
        case .busy: self = .unavailable("Another process holds the store: \(error).")
        case .full: self = .unwritable("The disk is full: \(error).")
        case .unwritable: self = .unwritable("The store cannot be read or written: \(error).")
        case .corrupt: self = .broken("The file is damaged or no database: \(error).")
        case .constraint, .other: self = .broken("The store refused a statement that should work: \(error).")
        }
    }

    /// Whether the same work may succeed later.
    var isPassing: Bool {
        switch self {
        case .unavailable, .unwritable, .uncertain: true
        case .newerSchema, .invalidCursor, .broken: false
        }
    }

    static var closed: StoreFailure { .unavailable("The store is closed.") }
}
