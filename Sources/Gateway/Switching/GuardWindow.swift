import Provisioning
import Storage

/// Which attempts a guard compares.
///
/// Beside each other: those that were made under the migration, since it was opened; after the guard stopped it and it
/// was resumed, since the next full hour. Where everyone is in the cohort, or the old side has hardly any traffic left,
/// that side is looked at as it was in its last seven days.
struct GuardWindow: Equatable {
    private static let reachMilliseconds: Int64 = 7 * 24 * 3600 * 1000
    private static let hourMilliseconds: Int64 = 3600 * 1000

    /// The new side.
    let to: SideQuery
    /// The old side.
    let from: SideQuery
    /// The old side where ``from`` has too few attempts.
    let furtherFrom: SideQuery?

    init(_ watch: GuardWatch, at now: Timestamp) {
        let migration = watch.migration
        // Observations are of whole hours.
        let start =
            watch.round == 1 ? watch.beganAt : watch.beganAt.adding(milliseconds: Self.hourMilliseconds - 1)
        to = SideQuery(
            program: migration.program, connection: migration.to, migration: migration.id, from: start, at: now)
        // It had its last traffic when the cohort became everyone, which may be long after the opening.
        let last = migration.cohort == .everyone ? migration.advancedAt : migration.createdAt
        let further = SideQuery(
            program: migration.program, connection: migration.from,
            from: min(migration.createdAt, last.adding(milliseconds: -Self.reachMilliseconds)), at: now)
        if migration.cohort == .everyone {
            (from, furtherFrom) = (further, nil)
        } else {
            from = SideQuery(
                program: migration.program, connection: migration.from, migration: migration.id, from: start, at: now)
            furtherFrom = further
        }
    }
}

extension SideTally {
    /// What was observed at a stage.
    ///
    /// - Parameter hasTokens: Whether both sides tell of tokens.
    func stage(_ stage: SwitchStage, hasTokens: Bool) -> StageTally {
        switch stage {
        case .handoff: handoff
        case .activation: hasTokens ? activation : addition
        }
    }
}
