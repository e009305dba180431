/// Why the button is as it is: a word for the app's log. Where the processor gave a reason of its own why the card cannot be
/// added, that one is told instead of ``cardIneligible``.
public enum ButtonReason: String, Sendable, CaseIterable {
    /// The processor was asked, and gave no answer.
    case eligibilityUnknown = "eligibility_unknown"
    /// The processor says no, without a word why.
    case cardIneligible = "card_ineligible"

    /// The phone's pass waits for activation.
    case phonePassRequiresActivation = "phone_pass_requires_activation"
    /// The watch's pass waits for activation.
    case watchPassRequiresActivation = "watch_pass_requires_activation"
    /// The phone has a pass; the paired watch has none.
    case watchHasNoPass = "watch_has_no_pass"
    /// The phone has a pass, and there is no watch for another.
    case noWatchPaired = "no_watch_paired"
    /// The phone has no pass.
    case phoneHasNoPass = "phone_has_no_pass"
    /// Phone and watch have their passes.
    case bothHavePasses = "both_have_passes"

    /// The SDK says that the card is on every device.
    case digitized
    /// The SDK says that the card is not on every device.
    case notDigitized = "not_digitized"
    /// The SDK says that the cardholder must be verified.
    case verificationPending = "verification_pending"
    /// The SDK says that the card is on its way.
    case digitizationInProgress = "digitization_in_progress"
    /// The SDK used a word that nobody here knows.
    case digitizationStateUnknown = "digitization_state_unknown"

    /// Google holds a token of the card that needs identity verification.
    case tokenNeedsVerification = "token_needs_verification"
    /// Google holds an active token of the card.
    case tokenActive = "token_active"
    /// Google holds a suspended token of the card.
    case tokenSuspended = "token_suspended"
    /// Google holds a pending token of the card.
    case tokenPending = "token_pending"
    /// Google holds a token of the card that waits for a FeliCa chip.
    case tokenFelicaPending = "token_felica_pending"
    /// Google holds the card without a token.
    case tokenUntokenized = "token_untokenized"
    /// Google holds a token of the card in a state that nobody here knows.
    case tokenStateUnknown = "token_state_unknown"
    /// Google holds no token of the card.
    case noTokenOfCard = "no_token_of_card"

    /// The device says that it can add the card.
    case deviceCanAdd = "device_can_add"
    /// The device says that it cannot.
    case deviceCannotAdd = "device_cannot_add"
    /// Nothing is known of the device that the wallet could be judged by.
    case deviceUnreported = "device_unreported"
}
