import SQLite

/// The thread that copies the write-ahead log into the file, so that the writer does not wait for it.
final class Checkpointer: Sendable {
    /// From how many pages in the log on the writer is asked for a moment without writing.
    private static let restartPages = 8000

    private let mailbox = Mailbox<Never>()
    private let ended = Latch(count: 1)

    /// Starts the thread. `finish` asks the writer for the rest.
    func start(_ database: sending Database, finish: @escaping @Sendable () -> Void) {
        let database = database
        DatabaseThread.start(name: "passgate-ckpt") { [self] in
            while mailbox.take(atMost: 1) != nil {
                guard let state = try? database.connection.checkpoint() else { continue }
                if state.logged >= Self.restartPages && state.copied < state.logged { finish() }
            }
            database.connection.close()
            ended.arrive()
        }
    }

    /// Asks for a checkpoint soon. Asked again before it began, it is made once.
    func wake() { mailbox.wake(afterMilliseconds: 0) }

    /// Ends after the work at hand.
    func stop() { mailbox.close() }

    /// Ends after the work at hand, and returns once the file is closed.
    func close() async {
        stop()
        await ended.wait()
    }
}
