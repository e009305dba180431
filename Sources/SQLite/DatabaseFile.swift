internal import CSQLite
internal import Glibc

/// The file that a database lives in.
enum DatabaseFile {
    /// Creates the file, readable and writable by its owner alone, unless it exists. SQLite gives the log beside it the
    /// same mode.
    static func createPrivate(at path: String) throws(SQLiteError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor < 0 else {
            _ = Glibc.close(descriptor)
            return
        }
        switch errno {
        case ENOENT, ENOTDIR:
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "the folder of the database does not exist")
        case EACCES, EPERM, EROFS:
            throw SQLiteError(code: SQLITE_READONLY, message: "the database or its folder cannot be written")
        case EISDIR:
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "the path of the database is a folder")
        case ENOSPC, EDQUOT:
            throw SQLiteError(code: SQLITE_FULL)
        default:
            throw SQLiteError(code: SQLITE_CANTOPEN)
        }
    }
}
