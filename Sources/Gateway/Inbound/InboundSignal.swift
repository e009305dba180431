import Synchronization

/// Tells the reader of deliveries that there is something to read, from whichever thread took it in.
final class InboundSignal: Sendable {
    private let continuation: AsyncStream<Void>.Continuation
    private let stream: Mutex<AsyncStream<Void>?>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = Mutex(stream)
        self.continuation = continuation
    }

    /// Wakes the reader; once, if it has not woken since.
    func raise() { continuation.yield() }

    /// What the one reader waits on; nil for a second one.
    func take() -> AsyncStream<Void>? {
        stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
    }
}
