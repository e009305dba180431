public import PassgateContract

/// What to do next after a problem. ``RetryPolicy`` acts on the first two; the others are the caller's to act on.
public enum RetryClass: OpenWord {
    /// Send the same request again.
    case sameRequest
    /// Send the same request again later.
    case afterDelay
    /// Change the request; the same one fails again.
    case fixRequest
    /// Start over on the device, with a new handshake.
    case freshHandshake
    /// Look whether the card is in the wallet; if not, start over with a new handshake.
    case checkWalletFirst
    /// What was asked for is already so.
    case treatAsSuccess
    /// No request like this one can succeed.
    case never
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [RetryClass] = [
        .sameRequest,
        .afterDelay,
        .fixRequest,
        .freshHandshake,
        .checkWalletFirst,
        .treatAsSuccess,
        .never,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .sameRequest: "same_request"
        case .afterDelay: "after_delay"
        case .fixRequest: "fix_request"
        case .freshHandshake: "fresh_handshake"
        case .checkWalletFirst: "check_wallet_first"
        case .treatAsSuccess: "treat_as_success"
        case .never: "never"
        case .other(let word): word
        }
    }
}
