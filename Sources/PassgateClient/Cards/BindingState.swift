public import PassgateContract

/// What a binding is used for.
public enum BindingState: OpenWord {
    /// It serves the card.
    case active
    /// A migration can route to it.
    case standby
    /// It serves no longer; its tokens and webhooks go on.
    case retired
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [BindingState] = [
        .active,
        .standby,
        .retired,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .active: "active"
        case .standby: "standby"
        case .retired: "retired"
        case .other(let word): word
        }
    }
}
