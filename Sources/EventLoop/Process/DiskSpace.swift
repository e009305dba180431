internal import Glibc

/// The room on a file system.
public enum DiskSpace: Sendable {
    /// How many bytes this process may still write at a path; nil where that cannot be told.
    public static func free(at path: String) -> Int? {
        var information = statvfs()
        guard statvfs(path, &information) == 0 else { return nil }
        return Int(clamping: UInt64(information.f_bavail) * UInt64(information.f_frsize))
    }
}
