import EventLoop

/// Where a command writes. A value, so that a test can listen.
struct Console: Sendable {
    /// Writes a line of the result.
    let output: @Sendable (String) -> Void
    /// Writes a line about the result.
    let error: @Sendable (String) -> Void
    /// Whether a person reads the result.
    let isTerminal: Bool

    /// The standard streams.
    static var standard: Console {
        Console(
            output: { StandardStream.output.write("\($0)\n") }, error: { StandardStream.error.write("\($0)\n") },
            isTerminal: StandardStream.output.isTerminal)
    }
}
