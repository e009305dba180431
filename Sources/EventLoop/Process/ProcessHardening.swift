internal import CLinux
internal import Glibc

/// What keeps a process's memory to itself.
public enum ProcessHardening: Sendable {
    /// Turns core dumps off, tracing by other processes of the same user, and the runtime's backtraces, which show
    /// memory. False where the kernel refused.
    public static func forbidDumps() -> Bool { passgate_forbid_dumps() == 0 }

    /// Files that the process makes are for its own user alone, unless they are made otherwise.
    public static func keepFilesPrivate() { umask(0o077) }
}
