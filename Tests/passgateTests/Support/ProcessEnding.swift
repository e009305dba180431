import Foundation

/// The end of a process, for one who waits for it.
struct ProcessEnding: Sendable {
    private let stream: AsyncStream<Int32>
    private let continuation: AsyncStream<Int32>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Is to be called before the process is started.
    func watch(_ process: Process) {
        process.terminationHandler = { [continuation] process in
            let isSignal = process.terminationReason == .uncaughtSignal
            continuation.yield(isSignal ? -process.terminationStatus : process.terminationStatus)
            continuation.finish()
        }
    }

    /// The exit code, once there is one; a signal that ended it is negative. To be asked once.
    var status: Int32 {
        get async {
            for await status in stream { return status }
            return 0
        }
    }
}
