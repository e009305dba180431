/// Why an attempt ended on the device, in one vocabulary for every wallet's and processor's own words.
public enum DeviceReason: String, Sendable, CaseIterable {
    /// The cardholder gave up.
    case cancelledByCardholder = "cancelled_by_cardholder"
    /// The device's system broke it off.
    case cancelledBySystem = "cancelled_by_system"
    /// The device, or its system, has no such wallet.
    case walletUnsupported = "wallet_unsupported"
    /// The wallet cannot be reached now, or not by this app.
    case walletUnavailable = "wallet_unavailable"
    /// The device has no active wallet.
    case noActiveWallet = "no_active_wallet"
    /// The wallet knows no such token.
    case tokenNotFound = "token_not_found"
    /// The token is in a state that does not allow it.
    case tokenStateInvalid = "token_state_invalid"
    /// The wallet or the network does not take the card.
    case cardIneligible = "card_ineligible"
    /// The processor's SDK knows no such card, or the card was cancelled.
    case cardUnavailable = "card_unavailable"
    /// The network or the wallet declined.
    case declined
    /// The wallet could not make or keep the token.
    case tokenizationFailed = "tokenization_failed"
    /// The token is there, and waits for the cardholder to be verified.
    case verificationRequired = "verification_required"
    /// The token's credentials did not arrive in time.
    case deliveryTimedOut = "delivery_timed_out"
    /// The device is not trusted: it is altered, an emulator, or its app is one for debugging.
    case deviceUntrusted = "device_untrusted"
    /// The processor's SDK could not get, or no longer takes, what lets it work for the cardholder.
    case credentialsRefused = "credentials_refused"
    /// What the wallet needs did not come from the processor.
    case payloadUnavailable = "payload_unavailable"
    /// The app is not set up as the SDK or the wallet needs it.
    case appMisconfigured = "app_misconfigured"
    /// The SDK says no more than that it failed.
    case operationFailed = "operation_failed"
}
