import PostgreSQL
public import Provisioning

extension PostgreSQLStore {
    // MARK: Provisionings

    /// Reserves an attempt with everything that goes with it. The attempt's `createdAt` is the moment that counts.
    public func reserve(_ reservation: Reservation) async throws(StoreFailure) -> ReservationResult {
        let digests = reservation.formerHandshakeDigests + (reservation.handshakeDigest.map { [$0] } ?? [])
        // What waits to be written and concerns this attempt is written first.
        if completions.pending.mayFree(digests, reservation.idempotency?.key) { try? await completions.flush() }
        let chain = chain
        do {
            try await pool.change(noting: meter, askedAt: .now) { transaction in
                try await PostgreSQLDatabase(transaction, chain: chain).reserve(reservation)
            }
            return .reserved
        } catch let none as PostgreSQLDatabase.NoReservation {
            if none.result == .cardChanged || none.result == .cardGone { recent.forget(reservation.record.card) }
            return none.result
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Leaves the end of an attempt to be written with others, and returns at once.
    public func complete(_ completion: ProvisioningCompletion) async throws(StoreFailure) {
        try completions.complete(completion)
    }

    /// The attempt of that program and id.
    public func provisioning(_ id: String, program: String) async throws(StoreFailure) -> StoredProvisioning? {
        let pending = completions.pending.record(of: id, program: program)
        let stored = try await read { try await $0.provisioning(id, program: program) }
        return pending.flatMap { stored?.completed(as: $0) } ?? stored
    }

    /// The program's attempts, the newest first, each with the completion that waits for it. Where the status decides
    /// which attempts are meant, what waits is written first.
    public func provisionings(_ query: ProvisioningQuery) async throws(StoreFailure) -> Page<StoredProvisioning> {
        // A store that cannot be written can still be read.
        if query.status != nil { try? await completions.flush() }
        let pending = completions.pending.records(ofProgram: query.program)
        let page = try await read { try await $0.provisionings(query) }
        return page.completed(by: pending, status: query.status)
    }

    // MARK: What becomes of provisionings

    /// Notes what a device said, and moves the attempt's status where the table allows it. Nil where it is unknown.
    public func note(_ report: DeviceReport) async throws(StoreFailure) -> StoredProvisioning? {
        try? await completions.flush()
        return try await change { try await $0.note(report) }
    }

    /// Keeps what is said of a card's tokens, and settles the attempts that they came from.
    public func settle(_ report: TokenReport) async throws(StoreFailure) -> TokenSettlement {
        try? await completions.flush()
        // One that is to be audited waits its turn at the program's trail.
        guard report.change != nil else { return try await change(repeatsTaken: true) { try await $0.settle(report) } }
        return try await change(trailOf: report.card.program) { try await $0.settle(report) }
    }

    /// Claims attempts that are due to be followed up. Where none is due, nothing is written.
    public func claim(_ claim: FollowUpClaim) async throws(StoreFailure) -> [StoredProvisioning] {
        let isAnyDue = try await read { try await $0.isAnyFollowUpDue(at: claim.now) }
        return isAnyDue ? try await change { try await $0.claim(claim) } : []
    }

    /// Writes how follow-ups ended, and lets go of their attempts.
    public func finish(_ ends: [FollowUpEnd]) async throws(StoreFailure) {
        try await change { try await $0.finish(ends) }
    }

    // MARK: Idempotency

    /// What is known of the key; nil where it is free.
    public func idempotency(_ key: IdempotencyKey, at now: Timestamp) async throws(StoreFailure) -> IdempotencyRecord? {
        let pending = completions.pending.ending(of: key)
        guard var use = try await read({ try await $0.use(of: key) }) else { return nil }
        if let pending, pending.provisioning == use.provisioning {
            use.ending = pending.ending
            use.deadlineAt = nil
        }
        return use.isFree(at: now) ? nil : use
    }

    /// Claims the key, for a minute or until ``finish(_:as:at:)``. Nil when it was free, or as the claim saw it.
    public func claim(_ claim: IdempotencyClaim, at now: Timestamp) async throws(StoreFailure) -> IdempotencyRecord? {
        try await change { try await $0.claim(claim, at: now) }
    }

    /// Keeps how the request ended.
    public func finish(_ key: IdempotencyKey, as ending: IdempotencyEnding, at now: Timestamp)
        async throws(StoreFailure)
    {
        try await change { $0.end(key, as: ending, provisioning: nil) }
    }
}
