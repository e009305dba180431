/// What a caller should do next.
public enum RetryClass: String, Sendable, CaseIterable {
    /// Change the request; the same one fails again.
    case fixRequest = "fix_request"
    /// Send the same request again.
    case sameRequest = "same_request"
    /// Send the same request again later.
    case afterDelay = "after_delay"
    /// Start over on the device, with a new handshake.
    case freshHandshake = "fresh_handshake"
    /// Look whether the card is in the wallet; if not, start over with a new handshake.
    case checkWalletFirst = "check_wallet_first"
    /// What was asked for is already so.
    case treatAsSuccess = "treat_as_success"
    /// No request like this one can succeed.
    case never
}
