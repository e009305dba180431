internal import CSQLite

/// One connection to a database file. It belongs to one thread at a time.
///
/// Statements are literals: they are prepared once, kept, and found again by their address.
public final class Connection {
    /// How a file is opened.
    public enum Mode: Sendable {
        /// For reading and writing. A missing file is created, readable by its owner alone.
        case createPrivate
        /// For reading and writing, where the file exists.
        case readWrite
        /// For reading alone, where the file exists.
        case readOnly
    }

    private var handle: OpaquePointer?
    private var statements: [UInt: Statement] = [:]
    /// How many pages stood in the write-ahead log after this connection's last commit.
    public private(set) var walPages = 0
    /// How many statements this connection has run.
    public private(set) var statementsRun = 0

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - mode: What it is opened for, and whether it may be created.
    ///   - busyMilliseconds: How long a locked database is waited for.
    /// - Throws: `unwritable` where the file cannot be opened. A file that is no database is found on first use.
    public init(path: String, mode: Mode, busyMilliseconds: Int32 = 5000) throws(SQLiteError) {
        if mode == .createPrivate { try DatabaseFile.createPrivate(at: path) }
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw SQLiteError(code: code)
        }
        self.handle = handle
        passgate_harden(handle)
        sqlite3_busy_timeout(handle, busyMilliseconds)
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().walPages = Int(pages)
                return SQLITE_OK
            }, context)
        if mode == .readOnly { try execute("PRAGMA query_only = 1") }
    }

    deinit { close() }

    /// Ends the connection. Any later call on it is an error of the program.
    public func close() {
        statements.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
    }

    // MARK: Statements

    /// Runs a statement, and answers how many rows it changed.
    @discardableResult
    public func run(_ sql: StaticString, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
        let database = try open()
        do {
            try statement(sql).run(values) { _ in true }
        } catch let error as SQLiteError {
            throw error
        } catch {
            throw SQLiteError(code: SQLITE_ERROR)
        }
        return Int(sqlite3_changes64(database))
    }

    /// What `body` makes of the first row; nil without one.
    public func first<Result>(
        _ sql: StaticString, _ values: SQLiteValue..., as body: (borrowing Row) throws -> Result
    ) throws -> Result? {
        var result: Result?
        try statement(sql).run(values) { row in
            result = try body(row)
            return false
        }
        return result
    }

    /// What `body` makes of every row.
    public func all<Result>(
        _ sql: StaticString, _ values: SQLiteValue..., as body: (borrowing Row) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try statement(sql).run(values) { row in
            results.append(try body(row))
            return true
        }
        return results
    }

    /// Runs a script of several statements without parameters.
    public func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(try open(), script, nil, nil, nil)
        if code != SQLITE_OK { throw SQLiteError(code: code) }
    }

    func open() throws(SQLiteError) -> OpaquePointer {
        guard let handle else { throw SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed") }
        return handle
    }

    private func statement(_ sql: StaticString) throws(SQLiteError) -> Statement {
        statementsRun += 1
        let key = UInt(bitPattern: sql.utf8Start)
        if let known = statements[key] { return known }
        let statement = try Statement(sql, on: try open())
        statements[key] = statement
        return statement
    }

    // MARK: Transactions

    /// Whether a transaction is open. SQLite ends one by itself after some failures, such as a full disk.
    public var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Begins a transaction that has the write lock from the start.
    public func beginImmediate() throws(SQLiteError) { try run("BEGIN IMMEDIATE") }

    /// Begins a transaction that only reads.
    public func beginReading() throws(SQLiteError) { try run("BEGIN DEFERRED") }

    /// Commits; with `synchronous = FULL` the log is synced when this returns.
    public func commit() throws(SQLiteError) { try run("COMMIT") }

    /// Undoes the open transaction, if there is one.
    public func rollback() { if isInTransaction { _ = try? run("ROLLBACK") } }

    /// Runs `body` within the open transaction, so that its failure undoes what it did and no more.
    public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        try run("SAVEPOINT request")
        do {
            let result = try body()
            try run("RELEASE request")
            return result
        } catch {
            if isInTransaction {
                _ = try? run("ROLLBACK TO request")
                _ = try? run("RELEASE request")
            }
            throw error
        }
    }

    // MARK: The write-ahead log

    /// How far a checkpoint came.
    public struct Checkpoint: Sendable, Equatable {
        /// How many pages stand in the log.
        public let logged: Int
        /// How many of them are in the database file.
        public let copied: Int
    }

    /// Copies pages of the log into the database file. A connection that has read nothing yet does not know the log.
    ///
    /// - Parameter waits: Whether to wait for whoever copies or reads, as long as the busy timeout allows, so that the
    ///   next commit starts the log over; otherwise it is copied as far as is possible without waiting for anyone.
    public func checkpoint(waits: Bool = false) throws(SQLiteError) -> Checkpoint {
        var logged: Int32 = 0
        var copied: Int32 = 0
        let mode = waits ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(try open(), nil, mode, &logged, &copied)
        guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else { throw SQLiteError(code: code) }
        return Checkpoint(logged: Int(max(logged, 0)), copied: Int(max(copied, 0)))
    }
}
