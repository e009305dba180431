/// What a tap on the app's wallet button does.
public enum ButtonAction: OpenWord {
    /// Add the card.
    case add
    /// Add the card to the paired watch; the phone has it.
    case addToWatch
    /// Activate the pass that waits for it.
    case activate
    /// Have the cardholder verified.
    case resumeVerification
    /// Nothing: there is no button.
    case none
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [ButtonAction] = [
        .add,
        .addToWatch,
        .activate,
        .resumeVerification,
        .none,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .add: "add"
        case .addToWatch: "add_to_watch"
        case .activate: "activate"
        case .resumeVerification: "resume_verification"
        case .none: "none"
        case .other(let word): word
        }
    }
}
