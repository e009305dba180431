public import PassgateContract

/// What a migration's guard does when it trips.
public enum GuardAction: OpenWord {
    /// It takes the migration back.
    case rollback
    /// It freezes the cohort.
    case pause
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [GuardAction] = [
        .rollback,
        .pause,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .rollback: "rollback"
        case .pause: "pause"
        case .other(let word): word
        }
    }
}
