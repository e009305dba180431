public import PassgateContract

/// How a migration's guard stands.
public enum GuardState: OpenWord {
    /// It looks, and a side has too few attempts yet.
    case waiting
    /// It compares.
    case watching
    /// It stopped the migration.
    case tripped
    /// It does not look.
    case idle
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [GuardState] = [
        .waiting,
        .watching,
        .tripped,
        .idle,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .waiting: "waiting"
        case .watching: "watching"
        case .tripped: "tripped"
        case .idle: "idle"
        case .other(let word): word
        }
    }
}
