/// Why the store did not do what it was asked to. It quotes no value.
public enum StoreFailure: Error, Sendable, Equatable {
    /// It cannot be reached or is busy; nothing was changed.
    case unavailable(String)
    /// The disk is full or cannot be written; nothing was changed.
    case unwritable(String)
    /// It did not answer, and nobody can say whether it was changed. What was asked for may be asked for again: it is found
    /// where it was done.
    case uncertain(String)
    /// Its schema is newer than this program knows.
    case newerSchema(found: Int, known: Int)
    /// The cursor is none that this list gave.
    case invalidCursor
    /// It is damaged, or refused a statement that should work.
    case broken(String)
}
