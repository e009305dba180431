/// What can happen to a migration, as events tell it.
public enum MigrationEvent: String, Sendable, CaseIterable {
    /// It was opened.
    case created
    /// Its cohort grew.
    case advanced
    /// Its cohort was frozen.
    case paused
    /// Its cohort may grow again.
    case resumed
    /// It was taken back.
    case rolledBack = "rolled_back"
    /// `to` took over for good.
    case completed
}
