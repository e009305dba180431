import ProviderKit
import Provisioning
public import Storage

/// What a request with an idempotency key comes to.
public enum Once<Answer: Sendable>: Sendable {
    /// It has been done.
    case done(Answer)
    /// It had been done before: what was kept of the answer.
    case kept(status: Int, body: String)
}

extension Gateway {
    /// Does what a request asks, once per idempotency key: for requests that are no attempts.
    ///
    /// - Parameters:
    ///   - claim: The caller's key; without one, every request is done.
    ///   - keep: Writes what is kept of the answer for those who ask again. No secret may be in it.
    ///   - work: Does it.
    /// - Throws: What `work` throws, which is kept as well; else what the promise on idempotency says of a key that is in
    ///   use, was used with another body, or ended in a problem that would come again.
    public func once<Answer>(
        _ claim: IdempotencyClaim?, keep: (Answer) -> (status: Int, body: String),
        _ work: () async throws(Problem) -> Answer
    ) async throws(Problem) -> Once<Answer> {
        guard var claim else { return .done(try await work()) }
        claim.replacing = try await priorUse(of: claim)
        if case .answer(let status, let body)? = claim.replacing?.ending { return .kept(status: status, body: body) }
        if let taken = try await take(claim) {
            try judge(taken, against: claim)
            if case .answer(let status, let body)? = taken.ending { return .kept(status: status, body: body) }
            throw Problem(.idempotencyKeyInUse, retryAfter: 1)
        }
        do throws(Problem) {
            let answer = try await work()
            let kept = keep(answer)
            await finish(claim.key) { () throws(StoreFailure) in .answer(status: kept.status, body: kept.body) }
            return .done(answer)
        } catch {
            await finish(claim.key) { () throws(StoreFailure) in
                .problem(
                    code: error.code, retry: error.retry, status: error.code.entry.status,
                    body: try StoredProblem.encode(error))
            }
            throw error
        }
    }

    private func take(_ claim: IdempotencyClaim) async throws(Problem) -> IdempotencyRecord? {
        do throws(StoreFailure) { return try await store.claim(claim, at: clock.now) } catch {
            throw Problem(store: error)
        }
    }

    /// The answer is not held back where its end cannot be written: then the key frees itself after a minute.
    private func finish(_ key: IdempotencyKey, as ending: () throws(StoreFailure) -> IdempotencyEnding) async {
        do throws(StoreFailure) { try await store.finish(key, as: try ending(), at: clock.now) } catch {
            report(StoreTrouble(failure: error, provisioning: nil))
        }
    }
}
