import SQLite

/// The file of a SQLite store, for the commands that look after it. Every call waits for the disk.
public struct SQLiteFile: Sendable {
    /// Where it is.
    public let path: String

    /// A file at a path, whether it is there or not.
    public init(path: String) { self.path = path }

    /// Counts by program and connection how many cards are active where.
    ///
    /// - Throws: Where there is no such file, or it cannot be read.
    public func activeBindings() throws(StoreFailure) -> [ActiveBindingCount] {
        try reading { try BindingTable(connection: $0).active() }
    }

    /// The migrations that are in force, of every program.
    ///
    /// - Throws: Where there is no such file, it cannot be read, or its schema is older.
    public func migrationsInForce() throws(StoreFailure) -> [StoredMigration] {
        try reading { try MigrationTable(connection: $0).allInForce() }
    }

    /// The API keys in force.
    ///
    /// - Throws: Where there is no such file, it cannot be read, or its schema is older.
    public func apiKeysInForce() throws(StoreFailure) -> [StoredAPIKey] {
        try reading { try APIKeyTable(connection: $0).keys(changedSince: nil)?.inForce ?? [] }
    }

    /// Whether there is something at the path.
    public var exists: Bool { Connection.fileExists(at: path) }

    /// Whether it can be written now, without changing it. Another process that writes is waited for.
    ///
    /// - Throws: `unwritable`; `unavailable` where another process writes all the time.
    public func checkWritable() throws(StoreFailure) {
        do {
            let connection = try Connection(path: path, mode: .readWrite)
            defer { connection.close() }
            try connection.beginImmediate()
            connection.rollback()
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Why a copy was not made.
    public enum BackupFailure: Error, Sendable, Equatable {
        /// There is something at the copy's path. It was not touched.
        case exists
        /// The store could not be read, or the copy not be written.
        case failed(StoreFailure)
    }

    /// What a migration would do. Changes nothing.
    ///
    /// - Throws: `newerSchema`; `broken` where the file is damaged or another program's; what reading it met.
    public func plan() throws(StoreFailure) -> SchemaPlan {
        guard exists else { return SchemaPlan(found: 0) }
        return try reading { try SchemaPlan(found: Schema.check($0)) }
    }

    /// Brings the schema to the newest version, in one transaction, and creates the file where it is missing.
    ///
    /// - Returns: The steps that were taken.
    public func migrate() throws(StoreFailure) -> SchemaPlan {
        do {
            let connection = try Connection(path: path, mode: .createPrivate)
            defer { connection.close() }
            return SchemaPlan(found: try Schema.prepare(connection))
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Writes the store, as it is at one moment, into a file of its own that only its owner can read, while others work
    /// on it.
    ///
    /// - Parameter progress: Is told how many pages of how many are copied.
    public func backUp(to copy: String, progress: (_ copied: Int, _ pages: Int) -> Void = { _, _ in })
        throws(BackupFailure)
    {
        do {
            let connection = try Connection(path: path, mode: .readOnly)
            defer { connection.close() }
            try Schema.check(connection)
            try connection.copy(to: copy, progress: progress)
        } catch CopyFailure.exists {
            throw .exists
        } catch CopyFailure.failed(let error) {
            throw .failed(StoreFailure(error))
        } catch {
            throw .failed(StoreFailure(error))
        }
    }

    /// Runs `body` on a connection that only reads.
    func reading<Answer>(_ body: (Connection) throws -> Answer) throws(StoreFailure) -> Answer {
        do {
            let connection = try Connection(path: path, mode: .readOnly)
            defer { connection.close() }
            return try body(connection)
        } catch {
            throw StoreFailure(error)
        }
    }
}
