import PostgreSQL

extension StoreFailure {
    init(_ error: PostgreSQLError) {
        switch error.kind {
        case .unreachable, .refused, .lost, .busy, .slow, .contended, .stale:
            self = .unavailable("The database did not do it: \(error).")
        case .closed: self = .closed
        case .uncertain: self = .uncertain("The database may have done it: \(error).")
        case .full, .readOnly: self = .unwritable("The database takes no change: \(error).")
        case .taken, .other: self = .broken("The database refused a statement that should work: \(error).")
        }
    }
}
