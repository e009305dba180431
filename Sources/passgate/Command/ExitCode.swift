/// How a command ends. The numbers are those of `sysexits.h`, and are listed in the README.
enum ExitCode: Int32, Sendable, CaseIterable {
    /// All went well. For `serve`: it was asked to end, and what was under way is finished.
    case success = 0
    /// It ran, and not all is well: lines that were not stored, an audit trail that is not whole.
    case findings = 1
    /// The command line cannot be understood.
    case usage = 64
    /// A file that was named cannot be read.
    case noInput = 66
    /// Something that is needed cannot be had: the store, the port.
    case unavailable = 69
    /// A fault of our own.
    case software = 70
    /// The configuration has a problem.
    case configuration = 78
    /// A signal ended the command before it had finished; `serve` takes two.
    case interrupted = 130
}
