/// How a migration goes, in numbers.
public struct MigrationReport: Codable, Hashable, Sendable {
    /// A time.
    public struct Window: Codable, Hashable, Sendable {
        /// Its beginning.
        public let from: Moment
        /// Its end.
        public let to: Moment
    }

    /// Attempts of apps that could not do with a side's handoff.
    public struct AppCannot: Codable, Hashable, Sendable {
        /// The other side served them.
        public let servedByOtherSide: Int
        /// Neither fitted.
        public let refused: Int

        enum CodingKeys: String, CodingKey {
            case refused
            case servedByOtherSide = "served_by_other_side"
        }
    }

    /// `migration_report`
    public let object: String
    /// The migration.
    public let migration: String
    /// The program.
    public let program: String
    /// What it does with its cohort.
    public let mode: MigrationMode
    /// How it stands.
    public let status: MigrationStatus
    /// Which time the numbers are of.
    public let window: Window
    /// What counts as in the wallet: `token` or `device`.
    public let activeBy: String
    /// The old side.
    public let from: ReportedSide
    /// The new side.
    public let to: ReportedSide
    /// Tokens that still live at the old side.
    public let tokensAtFrom: Int
    /// Attempts of apps that could not do with a side's handoff.
    public let appCannot: AppCannot
    /// What a shadow found.
    public let eligibility: ShadowFindings?
    /// What the guard saw.
    public let guardReport: GuardReport?

    enum CodingKeys: String, CodingKey {
        case object, migration, program, mode, status, window, from, to, eligibility
        case activeBy = "active_by"
        case tokensAtFrom = "tokens_at_from"
        case appCannot = "app_cannot"
        case guardReport = "guard"
    }
}
