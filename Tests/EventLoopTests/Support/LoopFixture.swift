import EventLoop
import Synchronization

/// Runs a test with a loop, and stops it afterwards.
@discardableResult
func withLoop<Result>(_ test: (EventLoop) async throws -> Result) async rethrows -> Result {
    let loop = EventLoop(name: "test")
    loop.start()
    defer { loop.stop() }
    return try await test(loop)
}

/// What happened, in order, from any thread.
final class Log<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])
    private let stream: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// All so far.
    var values: [Value] { state.withLock { $0 } }

    /// Adds one.
    func add(_ value: Value) {
        let count = state.withLock { values in
            values.append(value)
            return values.count
        }
        continuation.yield(count)
    }

    /// Waits until there are so many. For one who waits.
    @discardableResult
    func wait(for count: Int) async -> [Value] {
        for await present in stream where present >= count { break }
        return values
    }
}
