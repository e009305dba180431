import Crypto
import EventLoop
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Gateway {
    /// Ends an attempt that has its handoff: what is kept of it is its type, its size and a keyed digest.
    func hand(over handoff: Handoff, of attempt: ProvisioningAttempt, upstreamKey: UpstreamKey) -> ProvisionResult {
        var attempt = attempt
        let digest = handoff.digestInput
        attempt.record.status = .handedOff
        attempt.record.sentAt = attempt.sentAt
        attempt.record.expiresAt = handoff.expiresAt
        attempt.record.handoffBytes = digest.count
        attempt.record.handoffDigest = keys.digest(digest, purpose: "handoff")
        traffic.deliveries.begin(attempt.delivery)
        count(attempt.record, as: "handed_off")
        let final = attempt
        return ProvisionResult(record: attempt.record, handoff: handoff) { [self] isWritten in
            var ended = final
            ended.record.status = isWritten ? .handedOff : .undelivered
            ended.record.deliveredAt = isWritten ? clock.now : nil
            ended.timeline.add(isWritten ? "handed_off" : "undelivered")
            let ending = IdempotencyEnding.handoff(
                provisioning: ended.record.id, upstreamKey: ended.isRepeatable ? upstreamKey.text : nil,
                at: upstreamKey.madeAt)
            settle(ended, ending: ending, releases: false)
        }
    }

    /// Ends an attempt that failed, and says how.
    ///
    /// - Parameter isCallers: Whether the caller went away, or would not wait: that says nothing of the processor.
    func fail(_ attempt: ProvisioningAttempt, with error: ProvisioningError, isCallers: Bool) async -> Problem {
        var attempt = attempt
        if isCallers { attempt.timeline.add(StoredProvisioning.callerLeftStep) }
        let problem = Problem(
            provider: error, at: attempt.route.connection, repeatable: attempt.isRepeatable, record: attempt.record.id)
        attempt.record.status = error.outcome == .unknown ? .unknown : .refused
        attempt.record.sentAt = error.outcome == .notSent ? nil : attempt.sentAt
        attempt.record.failure = StoredFailure(
            code: error.code, outcome: error.outcome, situation: problem.situation, reason: error.reason,
            upstream: error.upstream)
        attempt.timeline.add(attempt.record.status.rawValue, code: error.code.rawValue)
        count(attempt.record, as: isCallers ? StoredProvisioning.callerLeftStep : error.code.rawValue)
        await complete(attempt, ending: ending(with: problem, of: attempt), releases: error.outcome == .notSent)
        return problem
    }

    /// What is kept under the attempt's idempotency key; nil, with the operator told, where that cannot be written.
    private func ending(with problem: Problem, of attempt: ProvisioningAttempt) -> IdempotencyEnding? {
        do throws(StoreFailure) {
            return .problem(
                code: problem.code, retry: problem.retry, status: problem.code.entry.status,
                body: try StoredProblem.encode(problem))
        } catch {
            report(StoreTrouble(failure: error, provisioning: attempt.record.id))
            return nil
        }
    }

    private func count(_ record: StoredProvisioning, as outcome: String) {
        metrics.countProvisioning(
            provider: record.provider, wallet: record.wallet, outcome: outcome,
            isUnknown: record.status == .unknown)
    }

    /// Completes an attempt from a callback, and lets its readers go on.
    private func settle(_ attempt: ProvisioningAttempt, ending: IdempotencyEnding, releases: Bool) {
        Task(executorPreference: EventLoop.current) { [self] in
            await complete(attempt, ending: ending, releases: releases)
            traffic.deliveries.end(attempt.delivery)
        }
    }

    private func complete(_ attempt: ProvisioningAttempt, ending: IdempotencyEnding?, releases: Bool) async {
        var record = attempt.record
        record.updatedAt = clock.now
        record.timeline = attempt.timeline.steps
        record.followUpAt = firstFollowUp(of: record, at: attempt.route.connection)
        do throws(StoreFailure) {
            try await store.complete(
                ProvisioningCompletion(
                    record: record, releasedHandshake: releases ? attempt.handshakeDigests.first : nil,
                    idempotency: attempt.idempotency.flatMap { claim in ending.map { (claim.key, $0) } }))
        } catch {
            // The record stays `sending` and becomes `unknown` by the sweep: the answer itself is not held back.
            report(StoreTrouble(failure: error, provisioning: record.id))
        }
    }
}
