import SQLite

/// The threads that read, each with a connection of its own, so that no reader waits for the writer's disk.
final class Readers: Sendable {
    /// How many reads one transaction serves.
    private static let groupLimit = 16

    private let mailbox = Mailbox<@Sendable (Result<Database, StoreFailure>) -> Void>()
    private let count: Int
    private let ended: Latch

    init(count: Int) {
        self.count = count
        ended = Latch(count: count)
    }

    /// Starts one of the threads.
    func start(_ database: sending Database) {
        let database = database
        DatabaseThread.start(name: "passgate-read") { [self] in
            while let requests = mailbox.take(atMost: Self.groupLimit) {
                do {
                    try database.connection.beginReading()
                    for request in requests { request(.success(database)) }
                } catch {
                    for request in requests { request(.failure(StoreFailure(error))) }
                }
                database.connection.rollback()
            }
            database.connection.close()
            ended.arrive()
        }
    }

    /// Runs `body` on one of the threads. It sees everything that was committed before the call.
    func read<Answer: Sendable>(_ body: @escaping @Sendable (Database) throws -> Answer) async throws(StoreFailure)
        -> Answer
    {
        let result: Result<Answer, StoreFailure> = await withCheckedContinuation { continuation in
            let isTaken = mailbox.put { database in
                let answer = Result { try body(try database.get()) }
                continuation.resume(returning: answer.mapError { StoreFailure($0) })
            }
            if !isTaken { continuation.resume(returning: .failure(.closed)) }
        }
        return try result.get()
    }

    /// Ends after the work at hand.
    func stop() { mailbox.close() }

    /// Ends after the work at hand, and returns once every connection is closed.
    func close() async {
        stop()
        await ended.wait()
    }
}
