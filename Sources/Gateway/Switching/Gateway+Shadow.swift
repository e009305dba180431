import EventLoop
import ProviderKit
import Provisioning
import Storage

extension Gateway {
    /// Has the new side of a shadow migration asked what the old one has answered, and counts where they differ.
    ///
    /// It returns at once: the asking has the background's share of the connection, never waits for it, and never sends
    /// anything but an eligibility call. Where the share is used up, the question is dropped, and that is counted.
    func shadow(_ card: StoredCard, wallet: Wallet, answered: Eligibility, handoff: HandoffType?) {
        guard let migration = card.migration, migration.mode == .shadow, migration.isInCohort,
            card.servingBinding?.card.connection == migration.from
        else { return }
        func count(_ kind: ShadowFinding.Kind) {
            traffic.shadow.count(ShadowFinding(migration: migration.id, wallet: wallet, kind: kind))
        }
        guard let binding = card.bindings.first(where: { $0.card.connection == migration.to })?.card else {
            return count(.withoutBinding)
        }
        guard let connection = directory.connections[migration.to] else { return count(.noAnswerAtTo) }
        let offers = connection.support(for: wallet)
        guard !offers.isEmpty else { return count(.comparing(answered, with: Self.unserved)) }
        if let handoff, !offers.contains(where: { $0.handoff == handoff }) { count(.handoffChanges) }
        let gate = traffic.gate(of: connection.name)
        do throws(ConnectionGuard.Refusal) {
            try gate.enterBackground(limit: connection.inFlight, ratePerSecond: connection.ratePerSecond, at: .now)
        } catch {
            return count(.dropped)
        }
        // Detached: the time that it takes is not the request's.
        Task.detached(executorPreference: EventLoop.current) { [self] in
            let kind = await kind(of: binding, wallet: wallet, at: connection, comparedWith: answered)
            traffic.shadow.count(ShadowFinding(migration: migration.id, wallet: wallet, kind: kind))
            gate.leaveBackground()
        }
    }

    private func kind(
        of binding: CardBinding, wallet: Wallet, at connection: Connection, comparedWith answered: Eligibility
    ) async -> ShadowFinding.Kind {
        do throws(ProvisioningError) {
            let eligibility = try await measured(connection) { () throws(ProvisioningError) in
                try await connection.provider.eligibility(
                    of: binding, wallet: wallet, deadline: .now + Self.walletPatience)
            }
            try checkOwnership(of: binding, by: eligibility, at: connection)
            return .comparing(answered, with: eligibility)
        } catch {
            return .noAnswerAtTo
        }
    }

    /// Writes what was counted for reports since this was last done: what shadows found, and whom breakers turned away.
    func keepCounts() async {
        await keep(traffic.shadow) { counts throws(StoreFailure) in try await store.add(counts) }
        await keep(traffic.leftAlone) { counts throws(StoreFailure) in try await store.add(counts) }
    }

    private func keep<Kind>(
        _ ledger: CountLedger<Kind>, write: ([Kind: Int]) async throws(StoreFailure) -> Void
    ) async {
        let counts = ledger.take()
        if counts.isEmpty { return }
        do throws(StoreFailure) { try await write(counts) } catch {
            ledger.giveBack(counts)
            report(StoreTrouble(failure: error, provisioning: nil))
        }
    }
}

extension ShadowFinding.Kind {
    /// What it is when the old side says one thing and the new side another.
    static func comparing(_ old: Eligibility, with new: Eligibility) -> ShadowFinding.Kind {
        switch (old.eligible, new.eligible) {
        case (_, nil): .noAnswerAtTo
        case (nil, _): .noAnswerAtFrom
        case (true, false): .eligibleAtFromOnly
        case (false, true): .eligibleAtToOnly
        case (false, false) where old.reason != new.reason: .reasonDiffers
        case (true, true), (false, false): .agrees
        }
    }
}
