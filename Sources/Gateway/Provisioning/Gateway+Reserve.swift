import EventLoop
import ProviderKit
import Provisioning
import Storage

extension Gateway {
    static let idempotencyLifetimeMilliseconds: Int64 = 24 * 3600 * 1000
    static let handshakeLifetimeMilliseconds: Int64 = 24 * 3600 * 1000
    /// How long a repeat of a repeatable attempt uses the first upstream key.
    static let upstreamKeyLifetimeMilliseconds: Int64 = 5 * 60 * 1000

    /// How long the end of another process's request is waited for: twice what a store takes to write it.
    static let othersPatience: Duration = .milliseconds(100)

    /// What the idempotency key was used for before, where that lets the request run again; nil where it is free.
    ///
    /// - Throws: What the promise on idempotency says of a key that is in use, was used with another body, or has ended.
    func priorUse(of claim: IdempotencyClaim?) async throws(Problem) -> IdempotencyRecord? {
        guard let claim else { return nil }
        guard var record = try await use(of: claim) else { return nil }
        if record.ending == nil {
            // Its answer may be on the wire: then how it ended is about to be kept.
            await traffic.deliveries.settled(claim.key)
            record = try await use(of: claim) ?? record
        }
        if record.ending == nil, record.fingerprint == claim.fingerprint, !record.isAbandoned(at: clock.now) {
            // Another process may have answered, and writes how it ended a little later.
            try? await EventLoop.current?.sleep(for: Self.othersPatience)
            record = try await use(of: claim) ?? record
        }
        try judge(record, against: claim)
        return record
    }

    private func use(of claim: IdempotencyClaim) async throws(Problem) -> IdempotencyRecord? {
        do throws(StoreFailure) { return try await store.idempotency(claim.key, at: clock.now) } catch {
            throw Problem(store: error)
        }
    }

    /// Throws unless a request may run again under the key.
    func judge(_ record: IdempotencyRecord, against claim: IdempotencyClaim) throws(Problem) {
        guard record.fingerprint == claim.fingerprint else { throw Problem(.idempotencyKeyReused) }
        switch record.ending {
        case nil where record.isAbandoned(at: clock.now): return
        case nil:
            let left = (record.deadlineAt?.milliseconds ?? 0) + 5000 - clock.now.milliseconds
            throw Problem(.idempotencyKeyInUse, retryAfter: max(1, min(20, Int((left + 999) / 1000))))
        case .problem(_, let retry, _, let body):
            if retry == .sameRequest || retry == .afterDelay { return }
            let problem: Problem
            do throws(StoreFailure) {
                problem = try StoredProblem.decode(body)
            } catch {
                report(StoreTrouble(failure: error, provisioning: nil))
                throw Problem(store: error)
            }
            throw problem
        case .handoff(_, .some, _): return
        case .handoff(let provisioning, nil, _):
            throw Problem(.handoffAlreadyDelivered, outcome: .notSent, provisioning: provisioning)
        case .answer: return
        }
    }

    /// The key for the upstream calls: repeats within 5 minutes use the first one's, so that nothing happens twice.
    ///
    /// That is so of what was delivered, and of what nobody knows the end of: no answer came, or the instance was gone
    /// before it did. A processor that answered has no more to do under the key, and may only say the same again.
    func upstreamKey(replaying record: IdempotencyRecord?) -> UpstreamKey {
        let now = clock.now
        let first: UpstreamKey? =
            switch record?.ending {
            case .handoff(_, let text?, let madeAt)?: UpstreamKey(text: text, madeAt: madeAt)
            case nil, .problem(_, .sameRequest, _, _)?: record?.upstreamKey
            case .handoff(_, nil, _)?, .problem?, .answer?: nil
            }
        if let first, now.milliseconds - first.madeAt.milliseconds <= Self.upstreamKeyLifetimeMilliseconds {
            return first
        }
        return UpstreamKey(text: makeID("prov_"), madeAt: now)
    }

    /// Makes the attempt durable. Nothing may be sent before this returns true; false where the card is not what the
    /// attempt was planned with.
    func reserve(_ attempt: inout ProvisioningAttempt, with card: ServingCard) async throws(Problem) -> Bool {
        // A record that a crash leaves is there because it was reserved.
        var timeline = attempt.timeline
        timeline.add("reserved")
        attempt.record.timeline = timeline.steps
        let result: ReservationResult
        do throws(StoreFailure) {
            result = try await store.reserve(
                Reservation(
                    record: attempt.record, card: card, detour: attempt.route.detour,
                    handshakeDigest: attempt.handshakeDigests.first,
                    formerHandshakeDigests: Array(attempt.handshakeDigests.dropFirst()),
                    handshakeExpiresAt: clock.now.adding(milliseconds: Self.handshakeLifetimeMilliseconds),
                    idempotency: attempt.idempotency))
        } catch {
            throw Problem(store: error)
        }
        switch result {
        case .reserved:
            attempt.timeline.add("reserved")
            return true
        case .handshakeReused: throw Problem(.handshakeReused, outcome: .notSent)
        case .idempotencyKeyTaken(let record):
            if let claim = attempt.idempotency { try judge(record, against: claim) }
            throw Problem(.idempotencyKeyInUse, retryAfter: 1)
        case .cardChanged, .cardGone: return false
        }
    }
}
