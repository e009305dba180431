import EventLoop

/// Where a command writes. A value, so that a test can listen.
struct Console: Sendable {
    /// Writes a line of the result.
    let output: @Sendable (String) -> Void
    /// Writes a line about the result.
    let error: @Sendable (String) -> Void
    /// Whether a person reads the result.
    let isTerminal: Bool
    /// Shows how far something has come, in place of what was shown before; nil where nobody would see it.
    var progress: (@Sendable (String) -> Void)?

    /// The standard streams.
    static var standard: Console {
        var console = Console(
            output: { StandardStream.output.write("\($0)\n") }, error: { StandardStream.error.write("\($0)\n") },
            isTerminal: StandardStream.output.isTerminal)
        if StandardStream.error.isTerminal {
            console.progress = { StandardStream.error.write("\r\u{1b}[K\($0)") }
        }
        return console
    }
}
