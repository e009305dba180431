internal import CSQLite
internal import Glibc

/// Why a database could not be copied. Nothing is left of the copy.
public enum CopyFailure: Error, Sendable, Equatable {
    /// There is something at the copy's path. It was not touched.
    case exists
    /// The original could not be read, or the copy not be written.
    case failed(SQLiteError)
}

extension Connection {
    /// How many pages a step copies: the copy is told about between steps.
    private static let pagesInStep: Int32 = 2048

    /// Whether there is something at a path.
    public static func fileExists(at path: String) -> Bool { access(path, F_OK) == 0 }

    /// Writes the database, as it is at one moment, into a file of its own, which only its owner can read. Others may
    /// read and write meanwhile: the copy has nothing of it. The copy appears under its name whole and synced, or not
    /// at all.
    ///
    /// - Parameters:
    ///   - path: Where the copy shall be. Nothing is overwritten.
    ///   - progress: Is told how many pages of how many are copied.
    public func copy(to path: String, progress: (_ copied: Int, _ pages: Int) -> Void = { _, _ in })
        throws(CopyFailure)
    {
        if Self.fileExists(at: path) { throw .exists }
        let draft = "\(path).partial-\(getpid())"
        do throws(SQLiteError) {
            try DatabaseFile.createNew(at: draft)
        } catch {
            throw .failed(error)
        }
        defer { unlink(draft) }
        do throws(SQLiteError) {
            try writeCopy(to: draft, progress)
        } catch {
            throw .failed(error)
        }
        guard link(draft, path) == 0 else {
            if errno == EEXIST { throw .exists }
            throw .failed(SQLiteError(code: SQLITE_CANTOPEN, message: "the copy cannot be given its name"))
        }
        DatabaseFile.syncFolder(of: path)
    }

    private func writeCopy(to path: String, _ progress: (_ copied: Int, _ pages: Int) -> Void) throws(SQLiteError) {
        let source = try open()
        // The moment of the copy: without an open transaction, every change meanwhile would begin it anew.
        try beginReading()
        defer { rollback() }
        try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        var target: OpaquePointer?
        defer { sqlite3_close_v2(target) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let opened = sqlite3_open_v2(path, &target, flags, nil)
        guard opened == SQLITE_OK else { throw SQLiteError(code: opened) }
        guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
            throw SQLiteError(code: sqlite3_extended_errcode(target))
        }
        var code = SQLITE_OK
        while code == SQLITE_OK {
            code = sqlite3_backup_step(backup, Self.pagesInStep)
            let pages = Int(sqlite3_backup_pagecount(backup))
            progress(pages - Int(sqlite3_backup_remaining(backup)), pages)
        }
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw SQLiteError(code: code == SQLITE_DONE ? end : code)
        }
    }
}
