import Provisioning

extension Database {
    /// Everything that must hold before the first byte leaves, checked and written in one transaction.
    func reserve(_ reservation: Reservation) throws -> ReservationResult {
        var record = reservation.record
        let now = record.createdAt
        var firstUsedAt = now
        if let claim = reservation.idempotency, let use = try idempotency.use(of: claim.key),
            !use.isFree(at: now)
        {
            if use != claim.replacing { return .idempotencyKeyTaken(use) }
            firstUsedAt = use.firstUsedAt
        }
        let (changed, migration) = try compare(reservation)
        if let changed { return changed }
        record.migration = migration?.id
        record.detour = reservation.detour?.reason
        for digest in reservation.formerHandshakeDigests
        where try handshakes.isSpent(digest, program: record.card.program, at: now) {
            return .handshakeReused
        }
        if let digest = reservation.handshakeDigest {
            let isFresh = try handshakes.spend(
                digest, program: record.card.program, by: record.id, until: reservation.handshakeExpiresAt, at: now)
            if !isFresh { return .handshakeReused }
        }
        if let claim = reservation.idempotency {
            try idempotency.begin(
                claim, provisioning: record.id, firstUsedAt: firstUsedAt, deadlineAt: record.deadlineAt)
        }
        try provisionings.insert(record)
        return .reserved
    }

    /// Writes how an attempt ended.
    func complete(_ completion: ProvisioningCompletion) throws {
        let record = completion.record
        try provisionings.complete(record)
        if let digest = completion.releasedHandshake {
            try handshakes.release(digest, program: record.card.program, by: record.id)
        }
        if let (key, ending) = completion.idempotency { try idempotency.end(key, as: ending, provisioning: record.id) }
    }

    /// Claims a key for a request that is no attempt; what is kept under it where it is not free.
    func claim(_ claim: IdempotencyClaim, at now: Timestamp) throws -> IdempotencyRecord? {
        var firstUsedAt = now
        if let use = try idempotency.use(of: claim.key), !use.isFree(at: now) {
            if use != claim.replacing { return use }
            firstUsedAt = use.firstUsedAt
        }
        try idempotency.begin(
            claim, provisioning: nil, firstUsedAt: firstUsedAt,
            deadlineAt: now.adding(milliseconds: IdempotencyRecord.claimMilliseconds))
        return nil
    }

    /// Does a bounded part of the upkeep. False once nothing is left to do.
    func sweep(at now: Timestamp, retention: Retention) throws -> Bool {
        let day: Int64 = 24 * 3600 * 1000
        let limit = 500
        let oldest = now.adding(milliseconds: -day * Int64(retention.provisionings))
        let counts = [
            try provisionings.giveUp(at: now, atMost: limit),
            try provisionings.drop(before: oldest, atMost: limit),
            try handshakes.dropExpired(at: now, atMost: limit),
            try endSilentImports(at: now, atMost: limit),
            try idempotency.dropExpired(at: now, atMost: limit),
            try settleMigration(at: now),
            try inbound.drop(before: now.adding(milliseconds: -day * Int64(retention.inbound)), atMost: limit),
            try deliveries.drop(before: now.adding(milliseconds: -day * Int64(retention.deliveries)), atMost: limit),
            try events.drop(before: now.adding(milliseconds: -day * Int64(retention.events)), atMost: limit),
        ]
        return counts.contains { $0 > 0 }
    }
}
