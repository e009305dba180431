internal import Glibc

/// How many files and sockets the process may have open at once.
public enum OpenFileLimit: Sendable {
    /// Raises the limit as far as a process may raise its own, and gives what it is then.
    ///
    /// The lower of a process's two limits is low for the sake of programs that use `select`; this one does not.
    @discardableResult
    public static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
