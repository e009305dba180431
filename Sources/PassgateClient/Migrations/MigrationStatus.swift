public import PassgateContract

/// How a migration stands.
public enum MigrationStatus: OpenWord {
    /// Its cohort may grow.
    case open
    /// Its cohort is frozen; nobody moves.
    case paused
    /// Everybody is served by the active binding again.
    case rolledBack
    /// The new side took over for good.
    case completed
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [MigrationStatus] = [
        .open,
        .paused,
        .rolledBack,
        .completed,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .open: "open"
        case .paused: "paused"
        case .rolledBack: "rolled_back"
        case .completed: "completed"
        case .other(let word): word
        }
    }
}
