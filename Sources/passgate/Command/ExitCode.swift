/// How a command ends. The numbers are those of `sysexits.h`, and are listed in the README.
enum ExitCode: Int32, Sendable, CaseIterable {
    /// All went well. For `serve`: it was asked to end, and what was under way is finished.
    case success = 0
    /// The command line cannot be understood.
    case usage = 64
    /// Something that is needed cannot be had: the store, the port.
    case unavailable = 69
    /// A fault of our own.
    case software = 70
    /// The configuration has a problem.
    case configuration = 78
    /// A second signal ended `serve` before it had finished.
    case interrupted = 130
}
