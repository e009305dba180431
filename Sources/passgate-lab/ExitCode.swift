/// How the command ends.
enum ExitCode: Int32 {
    /// All went as shown.
    case fine = 0
    /// Something that was shown failed.
    case failed = 1
    /// The command line says nothing we know.
    case usage = 64
    /// Something that is needed is missing.
    case unavailable = 69
    /// The configuration cannot be used.
    case configuration = 78
}
