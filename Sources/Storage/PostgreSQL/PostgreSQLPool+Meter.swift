import PostgreSQL

extension PostgreSQLPool {
    /// Runs `body` within one transaction, and has a meter note it once it is durable.
    ///
    /// - Parameters:
    ///   - size: How many changes it holds.
    ///   - askedAt: Since when somebody waits for it; nil where nobody does.
    func change<Answer: Sendable>(
        noting meter: StoreMeter, size: Int = 1, askedAt: ContinuousClock.Instant?, repeatsTaken: Bool = false,
        _ body: @escaping @Sendable (Transaction) async throws -> Answer
    ) async throws -> Answer {
        let (answer, began) = try await change(repeatsTaken: repeatsTaken) { transaction in
            let began = ContinuousClock.now
            return (try await body(transaction), began)
        }
        meter.note(group: size, waits: askedAt.map { [began - $0] } ?? [], took: .now - began)
        return answer
    }
}
