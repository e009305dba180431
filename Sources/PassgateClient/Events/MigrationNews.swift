public import PassgateContract

/// What can happen to a migration, as events tell it.
public enum MigrationNews: OpenWord {
    /// It was opened.
    case created
    /// Its cohort grew.
    case advanced
    /// Its cohort was frozen.
    case paused
    /// Its cohort may grow again.
    case resumed
    /// It was taken back.
    case rolledBack
    /// The new side took over for good.
    case completed
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [MigrationNews] = [
        .created,
        .advanced,
        .paused,
        .resumed,
        .rolledBack,
        .completed,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .created: "created"
        case .advanced: "advanced"
        case .paused: "paused"
        case .resumed: "resumed"
        case .rolledBack: "rolled_back"
        case .completed: "completed"
        case .other(let word): word
        }
    }
}
