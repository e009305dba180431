import SQLite
import Synchronization

/// The one thread that writes. It takes all requests that wait, and commits them as a group.
final class Writer: Sendable {
    /// How long a completion waits for a group to join before one is made for it.
    static let patienceMilliseconds: UInt64 = 50
    /// How long a completion that could not be written waits for the next try.
    private static let retryMilliseconds: UInt64 = 1000
    /// How many requests one group takes, so that the first one's wait is bounded.
    private static let groupLimit = 512
    /// From how many pages in the log on they are copied into the file.
    private static let checkpointPages = 4000
    /// From how many pages in the log on the writer waits until they are copied: a slow disk holds it back, rather than
    /// letting the log grow without bound. At 4 KiB a page, 48 MiB. Where a reader keeps the log from starting over, the
    /// writer waits again only after as much more, so that a backup cannot hold up every group.
    private static let longestLog = 12_000

    let pending = PendingCompletions()
    private let meter: StoreMeter
    private let mailbox = Mailbox<WriteRequest>()
    private let ended = Latch(count: 1)
    private let mustCheckpoint = Atomic(false)

    init(meter: StoreMeter) { self.meter = meter }

    /// Starts the thread. `logGrew` is called on it when the log should be copied into the file.
    func start(_ database: sending Database, logGrew: @escaping @Sendable () -> Void) {
        let database = database
        DatabaseThread.start(name: "passgate-write") { [self] in
            let group = GroupCommit(database: database, pending: pending, meter: meter)
            var waitsFrom = Self.longestLog
            while let requests = mailbox.take(atMost: Self.groupLimit) {
                group.run(requests)
                if !pending.isEmpty { mailbox.wake(afterMilliseconds: Self.retryMilliseconds) }
                if mustCheckpoint.exchange(false, ordering: .relaxed) { _ = try? database.connection.checkpoint() }
                if database.connection.walPages >= waitsFrom {
                    let state = try? database.connection.checkpoint(waits: true)
                    let isWhole = state.map { $0.copied == $0.logged } ?? false
                    waitsFrom = isWhole ? Self.longestLog : database.connection.walPages + Self.longestLog
                } else if database.connection.walPages >= Self.checkpointPages {
                    logGrew()
                }
            }
            for _ in 0..<3 where !pending.close() { group.run([]) }
            _ = pending.close(force: true)
            database.connection.close()
            ended.arrive()
        }
    }

    /// Runs `body` on the writer's thread, and returns once what it changed is durable.
    func write<Answer: Sendable>(_ body: @escaping @Sendable (Database) throws -> Answer) async throws(StoreFailure)
        -> Answer
    {
        let result: Result<Answer, StoreFailure> = await withCheckedContinuation { continuation in
            let request = WriteRequest(
                perform: { database in
                    let answer = try body(database)
                    return { continuation.resume(returning: .success(answer)) }
                },
                fail: { continuation.resume(returning: .failure($0)) })
            if !mailbox.put(request) { request.fail(.closed) }
        }
        return try result.get()
    }

    /// Leaves a completion for the next group.
    func complete(_ completion: ProvisioningCompletion) throws(StoreFailure) {
        guard pending.add(completion) else { throw .closed }
        mailbox.wake(afterMilliseconds: Self.patienceMilliseconds)
    }

    /// Returns once every completion that waits was written, or could not be.
    func flush() async throws(StoreFailure) {
        if !pending.isEmpty { try await write { _ in } }
    }

    /// Has the rest of the log copied between two groups. While a passive checkpoint runs, the log grows on: only a
    /// moment without a writer lets it start over.
    func finishCheckpoint() {
        mustCheckpoint.store(true, ordering: .relaxed)
        mailbox.wake(afterMilliseconds: 0)
    }

    /// Takes nothing more in.
    func stop() { mailbox.close() }

    /// Takes nothing more in, and returns once all is written and the file is closed.
    func close() async {
        stop()
        await ended.wait()
    }
}
