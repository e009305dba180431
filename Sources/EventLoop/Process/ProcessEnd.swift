internal import Glibc

/// Ends the process.
public enum ProcessEnd: Sendable {
    /// Ends it in order, with what was written to the standard streams flushed.
    public static func exit(_ code: Int32) -> Never { Glibc.exit(code) }

    /// Ends it at once.
    public static func abandon(_ code: Int32) -> Never { _exit(code) }
}
