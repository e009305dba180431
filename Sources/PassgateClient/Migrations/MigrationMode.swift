public import PassgateContract

/// What a migration does with its cohort.
public enum MigrationMode: OpenWord {
    /// It asks the new side for eligibility, and moves nobody.
    case shadow
    /// It has the new side serve.
    case live
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [MigrationMode] = [
        .shadow,
        .live,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .shadow: "shadow"
        case .live: "live"
        case .other(let word): word
        }
    }
}
