internal import EventLoop

extension PostgreSQLPool {
    /// How often work is tried that a key of others undoes.
    private static let tries = 8

    /// Runs `body` within one transaction, and returns once that is durable.
    ///
    /// Work that a broken connection, a deadlock or a statement that is not valid any more undid is done again: `body` has
    /// no effect but in the database. Where the connection broke during the commit, the server is asked what became of it;
    /// a transaction that was sent as one batch is made again, so it must be such that making it twice is making it once.
    ///
    /// - Parameter repeatsTaken: Whether it is done again where a unique key is taken, since it will find the row then.
    /// - Throws: ``PostgreSQLError``, or what `body` throws.
    public func change<Answer: Sendable>(
        repeatsTaken: Bool = false, _ body: @escaping @Sendable (Transaction) async throws -> Answer
    ) async throws -> Answer {
        try await enter { try await self.perform(.whole, changes: true, repeatsTaken: repeatsTaken, body) }
    }

    /// Runs `body`, whose batches are a transaction each. Of a change there may be one, and making it twice must be making
    /// it once.
    public func once<Answer: Sendable>(_ body: @escaping @Sendable (Transaction) async throws -> Answer)
        async throws -> Answer
    {
        try await enter { try await self.perform(.batches, changes: true, repeatsTaken: false, body) }
    }

    /// Runs `body`, which only reads. Each batch is as of its own moment.
    public func read<Answer: Sendable>(_ body: @escaping @Sendable (Transaction) async throws -> Answer) async throws
        -> Answer
    {
        try await enter { try await self.perform(.batches, changes: false, repeatsTaken: false, body) }
    }

    private func perform<Answer>(
        _ mode: Transaction.Mode, changes: Bool, repeatsTaken: Bool, _ body: (Transaction) async throws -> Answer
    ) async throws -> Answer {
        let giveUpAt = ContinuousClock.now + settings.retryTime
        // Whether an earlier try may have taken effect after all.
        var isUncertain = false
        var number = 0
        while true {
            number += 1
            do {
                let transaction = Transaction(on: try await acquire(), mode)
                do {
                    let answer = try await body(transaction)
                    try await commit(transaction, until: giveUpAt)
                    release(transaction.session)
                    return answer
                } catch {
                    if changes, transaction.isEnding, transaction.id == nil, (error as? PostgreSQLError)?.kind == .lost
                    {
                        isUncertain = true
                    }
                    await end(transaction, after: error)
                    throw error
                }
            } catch {
                let mayTry = ContinuousClock.now < giveUpAt && number < Self.tries * 8
                guard mayTry, isPassing(error, after: number, repeatsTaken: repeatsTaken) else {
                    throw isUncertain ? PostgreSQLError(.uncertain) : error
                }
                try? await loop.sleep(for: .milliseconds(Int.random(in: 1...min(10 * number, 100))))
            }
        }
    }

    /// Whether the same work may succeed at once.
    private func isPassing(_ error: any Error, after tries: Int, repeatsTaken: Bool) -> Bool {
        switch (error as? PostgreSQLError)?.kind {
        case .lost, .contended, .stale: true
        case .taken: repeatsTaken && tries < Self.tries
        // A caller who was under way may see the connections come back; one who begins is told at once.
        case .unreachable: tries > 1
        default: false
        }
    }

    private func end(_ transaction: Transaction, after error: any Error) async {
        let isUsable = await transaction.rollback()
        if isUsable, (error as? PostgreSQLError)?.kind != .stale {
            release(transaction.session)
        } else {
            discard(transaction.session)
        }
    }

    // MARK: Commits without an answer

    private func commit(_ transaction: Transaction, until moment: ContinuousClock.Instant) async throws {
        do {
            try await transaction.commit()
        } catch let error as PostgreSQLError where error.kind == .lost && transaction.isEnding {
            guard let id = transaction.id else { throw error }
            switch await fate(of: id, inLife: transaction.session.life, until: moment) {
            case true?: return
            case false?: throw error
            case nil: throw PostgreSQLError(.uncertain)
            }
        }
    }

    /// Whether a transaction was committed; nil where that cannot be found out in time. A server that has crashed since may
    /// have given its number to another one, and one that takes its place has numbers of its own.
    private func fate(of id: String, inLife life: String?, until moment: ContinuousClock.Instant) async -> Bool? {
        repeat {
            try? await loop.sleep(for: .milliseconds(Int.random(in: 10...50)))
            guard let session = try? await acquire() else { continue }
            if life == nil || session.life != life {
                release(session)
                return nil
            }
            let transaction = Transaction(on: session, .batches)
            do {
                let status = try await transaction.first(
                    "SELECT coalesce(pg_xact_status($1::text::xid8), 'forgotten')", .text(id)
                ) { $0.text(0) }
                release(session)
                switch status {
                case "committed": return true
                case "aborted": return false
                case "in progress": continue
                default: return nil
                }
            } catch {
                await end(transaction, after: error)
            }
        } while ContinuousClock.now < moment
        return nil
    }
}
