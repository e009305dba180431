/// Closed until it is opened, for one who waits.
struct Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// A closed gate.
    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Opens it for good.
    func open() { continuation.finish() }

    /// Waits until it is open, or until the task is cancelled.
    func wait() async { for await _ in stream {} }
}
