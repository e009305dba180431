import Synchronization

/// Tells whoever does the work in the background that there is some, from whichever thread it came.
final class WorkSignal: Sendable {
    private let continuation: AsyncStream<Void>.Continuation
    private let stream: Mutex<AsyncStream<Void>?>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = Mutex(stream)
        self.continuation = continuation
    }

    /// Wakes the worker; once, if it has not woken since.
    func raise() { continuation.yield() }

    /// What the one worker waits on; nil for a second one.
    func take() -> AsyncStream<Void>? {
        stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
    }
}
