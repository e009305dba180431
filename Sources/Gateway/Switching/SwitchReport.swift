import ProviderKit
public import Provisioning
public import Storage

/// How a migration goes: both sides compared, in numbers that can be counted again from the records.
public struct SwitchReport: Sendable {
    /// One side.
    public struct Side: Sendable {
        /// The connection.
        public let connection: String
        /// Its provider's id; nil where the configuration has no such connection.
        public let provider: String?
        /// What is known of it.
        public let figures: SideFigures
        /// What was observed of its attempts with a handoff, by the word that the report goes by.
        public let activation: StageTally
        /// Milliseconds that the gateway itself took.
        public let gateway: Percentiles?
        /// Milliseconds that the processor was waited for.
        public let upstream: Percentiles?
    }

    /// How long attempts took.
    public struct Percentiles: Sendable, Equatable {
        /// Half took no longer.
        public let median: Int64
        /// 95 of 100 took no longer.
        public let high: Int64

        /// The percentiles of values, by the nearest rank; nil where there is none.
        init?(_ values: [Int64]) {
            guard !values.isEmpty else { return nil }
            let sorted = values.sorted()
            func rank(_ percent: Int) -> Int64 { sorted[(sorted.count * percent + 99) / 100 - 1] }
            (median, high) = (rank(50), rank(95))
        }
    }

    /// What the guard is about.
    public enum GuardState: String, Sendable {
        /// It looks, and nothing is compared yet: a side has too few attempts.
        case waiting
        /// It compares.
        case watching
        /// It stopped the migration.
        case tripped
        /// It does not look: the migration is over, is paused already, or serves nothing.
        case idle
    }

    /// The migration as it is now.
    public let migration: StoredMigration
    /// When the figures were read.
    public let readAt: Timestamp
    /// Until when attempts count: while the migration decides anything. A completed one routes until its last binding
    /// is changed; what becomes of its attempts later counts all the same.
    public var countedUntil: Timestamp {
        migration.isInForce ? readAt : migration.settledAt ?? migration.endedAt ?? readAt
    }
    /// The side that is left.
    public let from: Side
    /// The side that takes over.
    public let to: Side
    /// Whether the second stage goes by tokens; else by what devices say.
    public let goesByTokens: Bool
    /// How many tokens still live at `from`.
    public let tokensAtFrom: Int
    /// Attempts whose app build did not know the routed side's handoff.
    public let appCannot: AppCannotCount
    /// What the shadow found, by wallet.
    public let findings: [ShadowFinding: Int]
    /// Why what `to` says of eligibility does not show that provisioning works there; nil where it shows something.
    public let gap: EligibilityGap?
    /// What the guard is about; nil where the migration has none.
    public let guardState: GuardState?
    /// How far the guard has come; nil where it has not looked yet.
    public let watch: GuardWatch?
}

extension Gateway {
    /// How many of each side's newest attempts are looked at for their durations.
    private static let durationSample = 1000

    /// How a migration goes.
    public func report(ofMigration id: String, program: String) async throws(Problem) -> SwitchReport {
        let migration: StoredMigration?
        let figures: SwitchFigures?
        do throws(StoreFailure) {
            migration = try await store.migration(id, program: program)
            figures =
                if let migration {
                    try await store.figures(
                        SwitchFiguresQuery(migration: migration, sample: Self.durationSample, at: clock.now))
                } else { nil }
        } catch {
            throw Problem(store: error)
        }
        guard let migration, let figures else { throw Problem(.migrationNotFound) }
        let hasTokens = tellsOfTokens(migration)
        return SwitchReport(
            migration: migration, readAt: clock.now, from: side(migration.from, figures.from, hasTokens: hasTokens),
            to: side(migration.to, figures.to, hasTokens: hasTokens), goesByTokens: hasTokens,
            tokensAtFrom: figures.tokensAtFrom, appCannot: figures.appCannot, findings: figures.findings,
            gap: directory.connections[migration.to]?.descriptor.eligibilityGap,
            guardState: Self.state(of: migration, figures.watch), watch: figures.watch)
    }

    private func side(_ name: String, _ figures: SideFigures, hasTokens: Bool) -> SwitchReport.Side {
        SwitchReport.Side(
            connection: name, provider: directory.connections[name]?.descriptor.id, figures: figures,
            activation: figures.tally.stage(.activation, hasTokens: hasTokens),
            gateway: SwitchReport.Percentiles(figures.durations.map(\.gateway)),
            upstream: SwitchReport.Percentiles(figures.durations.map(\.provider)))
    }

    private static func state(of migration: StoredMigration, _ watch: GuardWatch?) -> SwitchReport.GuardState? {
        guard let settings = migration.guard else { return nil }
        let isStopped = migration.status == .rolledBack || migration.status == .paused
        if watch?.stoppedAt != nil, isStopped { return .tripped }
        switch migration.status {
        case _ where migration.mode == .shadow: return .idle
        case .rolledBack, .completed: return .idle
        case .paused where settings.action == .pause: return .idle
        case .open, .paused: return watch?.looks.isEmpty ?? true ? .waiting : .watching
        }
    }
}
