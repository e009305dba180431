import SQLite

/// The versions of the schema, and how a file comes to the newest.
enum Schema {
    /// The scripts in order: the first makes version 1 of an empty file, each further one the next version.
    static let scripts = [
        schema0001, schema0002, schema0003, schema0004, schema0005, schema0006, schema0007,
        schema0008, schema0009,
    ]

    /// The version that this program knows.
    static var version: Int { scripts.count }

    /// What marks a file as ours: `PGST`.
    private static let applicationID: Int64 = 0x5047_5354

    /// Checks that the file is ours, turns it to write-ahead logging, and brings its schema to the newest version.
    ///
    /// - Returns: The version that was found.
    /// - Throws: `newerSchema`; `broken` where the file is damaged or belongs to another program.
    @discardableResult
    static func prepare(_ connection: Connection) throws -> Int {
        try check(connection)
        try turnToWriteAheadLog(connection)
        try connection.beginImmediate()
        do {
            let found = try check(connection)
            for (offset, script) in scripts.enumerated().dropFirst(found) {
                try connection.execute(script)
                try connection.execute("PRAGMA user_version = \(offset + 1)")
            }
            if found == 0 { try connection.execute("PRAGMA application_id = \(applicationID)") }
            try connection.commit()
            return found
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// The version of the file's schema; 0 of an empty file.
    @discardableResult
    static func check(_ connection: Connection) throws -> Int {
        let version = Int(try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0)
        let owner = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let isEmpty = try connection.first("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in false } ?? true
        if isEmpty && version == 0 && owner == 0 { return 0 }
        guard owner == applicationID else {
            throw StoreFailure.broken("The file is a database, but not one of Passgate.")
        }
        if version > self.version { throw StoreFailure.newerSchema(found: version, known: self.version) }
        return version
    }

    /// The switch needs the file for itself, and SQLite does not always wait for that: several may be starting at once.
    private static func turnToWriteAheadLog(_ connection: Connection) throws {
        let patience = ContinuousClock.now + .seconds(5)
        while true {
            do {
                let mode = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) }
                guard mode == "wal" else {
                    throw StoreFailure.unwritable("The file system does not allow a write-ahead log.")
                }
                return
            } catch let error as SQLiteError where error.kind == .busy && ContinuousClock.now < patience {
                continue
            }
        }
    }
}
