internal import CLinux
internal import Glibc
internal import Synchronization

/// Writes lines on a thread of its own, so that a slow reader of the log never holds a loop up.
///
/// Lines are gathered for a moment and written together: under load that is one write for many, at rest a line is out
/// within a few milliseconds. The lines that wait are bounded. Beyond that lines are dropped and counted; a line of its own says how many.
///
/// Safe to share: all state is behind the mutex, and the semaphore is the kernel's.
public final class LineWriter: @unchecked Sendable {
    private struct State {
        var lines: [String] = []
        var bytes = 0
        var dropped = 0
        var isClosed = false
        var thread: pthread_t?
    }

    private let state = Mutex(State())
    private let stream: StandardStream
    private let limit: Int
    private let dropNotice: @Sendable (Int) -> String
    /// How long lines are gathered.
    private static let gatheringMilliseconds: UInt32 = 2
    private let wake = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - limit: How many bytes may wait.
    ///   - dropNotice: The line that says how many lines were dropped.
    public init(_ stream: StandardStream, limit: Int = 4_194_304, dropNotice: @escaping @Sendable (Int) -> String) {
        self.stream = stream
        self.limit = limit
        self.dropNotice = dropNotice
        sem_init(wake, 0, 0)
        var handle = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &handle, nil,
            { context in
                guard let context else { return nil }
                passgate_name_thread("passgate-log")
                passgate_run_in_batches()
                Unmanaged<LineWriter>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        precondition(code == 0, "the kernel gave no thread")
        state.withLock { $0.thread = handle }
    }

    deinit {
        sem_destroy(wake)
        wake.deallocate()
    }

    /// Writes the line, and a newline after it: soon, never on this thread.
    public func write(_ line: String) {
        let mustWake = state.withLock { state in
            guard !state.isClosed else { return false }
            guard state.bytes + line.utf8.count <= limit else {
                state.dropped += 1
                return false
            }
            state.lines.append(line)
            state.bytes += line.utf8.count + 1
            return state.lines.count == 1
        }
        if mustWake { sem_post(wake) }
    }

    /// Writes what waits, and ends the thread. It blocks until that is done: for the end of the program.
    public func close() {
        let thread = state.withLock { state in
            state.isClosed = true
            return state.thread.take()
        }
        guard let thread else { return }
        sem_post(wake)
        pthread_join(thread, nil)
    }

    private func run() {
        while true {
            sem_wait(wake)
            usleep(Self.gatheringMilliseconds * 1000)
            let (lines, dropped, isClosed) = state.withLock { state in
                defer {
                    state.lines = []
                    state.bytes = 0
                    state.dropped = 0
                }
                return (state.lines, state.dropped, state.isClosed)
            }
            var text = lines.joined(separator: "\n")
            if !lines.isEmpty { text += "\n" }
            if dropped > 0 { text += dropNotice(dropped) + "\n" }
            stream.write(text)
            if isClosed { return }
        }
    }
}
