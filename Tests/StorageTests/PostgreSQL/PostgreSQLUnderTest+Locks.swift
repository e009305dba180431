import PostgreSQL
import Testing

extension PostgreSQLUnderTest {
    /// Runs `body` while a transaction of the test's own has what a statement locks.
    func holding(_ statement: String, _ body: () async throws -> Void) async throws {
        let pool = PostgreSQLPool(try #require(DatabaseAddress(url: url)))
        let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
        let (isOver, over) = AsyncStream.makeStream(of: Void.self)
        let holder = Task {
            try await pool.change { transaction in
                transaction.execute(statement)
                try await transaction.send()
                held.yield()
                for await _ in isOver { break }
            }
        }
        for await _ in isHeld { break }
        do { try await body() } catch {
            over.yield()
            try await holder.value
            throw error
        }
        over.yield()
        try await holder.value
        await pool.close()
    }
}
