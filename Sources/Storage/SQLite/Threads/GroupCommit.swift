import SQLite

/// Makes many changes durable with one sync: one transaction for the group.
///
/// It is tried without a savepoint for each change first, since nearly every change succeeds and savepoints copy every
/// page that they touch. Where one fails, all is undone and done again, each change within its savepoint. A change may
/// therefore be made twice: it has no effect but in the database.
struct GroupCommit {
    let database: Database
    let pending: PendingCompletions
    let meter: StoreMeter

    private typealias Outcome = Result<@Sendable () -> Void, StoreFailure>

    /// Commits the completions that wait and then the requests, and tells every caller.
    func run(_ requests: [WriteRequest]) {
        let completions = pending.all
        if requests.isEmpty && completions.isEmpty { return }
        let began = ContinuousClock.now
        defer {
            meter.note(
                group: completions.count + requests.count, waits: requests.map { began - $0.queuedAt },
                took: .now - began)
        }
        do {
            let outcomes = try together(completions, requests) ?? apart(completions, requests)
            for (request, outcome) in zip(requests, outcomes) {
                switch outcome {
                case .success(let tell): tell()
                case .failure(let failure): request.fail(failure)
                }
            }
        } catch {
            let failure = StoreFailure(error)
            for request in requests { request.fail(failure) }
        }
    }

    /// Commits everything; nil, with nothing changed, where one change or the commit failed.
    ///
    /// - Throws: Where no transaction can be begun.
    private func together(_ completions: [PendingCompletions.Entry], _ requests: [WriteRequest]) throws -> [Outcome]? {
        try database.connection.beginImmediate()
        do {
            for entry in completions { try database.complete(entry.completion) }
            let outcomes = try requests.map { Outcome.success(try $0.perform(database)) }
            try database.connection.commit()
            pending.remove(completions)
            return outcomes
        } catch {
            database.connection.rollback()
            return nil
        }
    }

    /// Commits what succeeds.
    ///
    /// - Throws: Where nothing could be committed.
    private func apart(_ completions: [PendingCompletions.Entry], _ requests: [WriteRequest]) throws -> [Outcome] {
        try database.connection.beginImmediate()
        do {
            let written = try completions.filter(write)
            let outcomes = try requests.map(outcome)
            try database.connection.commit()
            pending.remove(written)
            return outcomes
        } catch {
            database.connection.rollback()
            throw error
        }
    }

    /// What became of one request.
    ///
    /// - Throws: Where the whole transaction was lost with it.
    private func outcome(of request: WriteRequest) throws -> Outcome {
        do {
            return .success(try database.connection.savepoint { try request.perform(database) })
        } catch {
            guard database.connection.isInTransaction else { throw error }
            return .failure(StoreFailure(error))
        }
    }

    /// Writes one completion. False where it must be tried again later; one that can never be written is given up, and
    /// its attempt becomes `unknown` by the sweep.
    ///
    /// - Throws: Where the whole transaction was lost with it.
    private func write(_ entry: PendingCompletions.Entry) throws -> Bool {
        do {
            try database.connection.savepoint { try database.complete(entry.completion) }
            return true
        } catch {
            guard database.connection.isInTransaction else { throw error }
            return !StoreFailure(error).isPassing
        }
    }
}
