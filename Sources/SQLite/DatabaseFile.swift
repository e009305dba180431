internal import CSQLite
internal import Glibc

/// The file that a database lives in.
enum DatabaseFile {
    /// Creates the file, readable and writable by its owner alone, unless it exists. SQLite gives the log beside it the
    /// same mode.
    ///
    /// A file that exists is not opened. Closing it again would give up every lock that this process has on it, whoever
    /// holds it open here, and then another process may take the log away from under them.
    static func createPrivate(at path: String) throws(SQLiteError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor < 0 else {
            _ = Glibc.close(descriptor)
            return
        }
        if errno == EEXIST {
            if isFolder(path) { throw failure(EISDIR) }
            if faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0 { return }
        }
        throw failure(errno)
    }

    /// Creates the file, readable and writable by its owner alone. One that exists is an error.
    static func createNew(at path: String) throws(SQLiteError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw failure(errno) }
        _ = Glibc.close(descriptor)
    }

    /// Makes the names in the folder of a path durable. A file system that cannot is left as it is.
    static func syncFolder(of path: String) {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = Glibc.close(descriptor)
    }

    private static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    private static func failure(_ number: Int32) -> SQLiteError {
        switch number {
        case ENOENT, ENOTDIR:
            SQLiteError(code: SQLITE_CANTOPEN, message: "the folder of the database does not exist")
        case EACCES, EPERM, EROFS:
            SQLiteError(code: SQLITE_READONLY, message: "the database or its folder cannot be written")
        case EISDIR:
            SQLiteError(code: SQLITE_CANTOPEN, message: "the path of the database is a folder")
        case ENOSPC, EDQUOT:
            SQLiteError(code: SQLITE_FULL)
        default:
            SQLiteError(code: SQLITE_CANTOPEN)
        }
    }
}
