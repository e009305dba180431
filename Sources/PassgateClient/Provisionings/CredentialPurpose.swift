public import PassgateContract

/// What a wallet credential is for.
public enum CredentialPurpose: OpenWord {
    /// Signing the vendor's SDK in.
    case session
    /// Reading the card's state in the wallets.
    case state
    /// Activating a token that waits for it.
    case activate
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [CredentialPurpose] = [
        .session,
        .state,
        .activate,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .session: "session"
        case .state: "state"
        case .activate: "activate"
        case .other(let word): word
        }
    }
}
