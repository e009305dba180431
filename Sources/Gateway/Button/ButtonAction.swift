/// What a tap on the app's wallet button does.
///
/// The order is that of precedence: where facts ask for several, the first is done. What was begun is finished before it is
/// called present, and what is present is not added again.
public enum ButtonAction: String, Sendable, CaseIterable {
    /// Activate the pass that waits for it: `wallet_credentials` with the purpose `activate`, where the provider has one.
    case activate
    /// Verify the cardholder: Google's `tokenize`, or the way that the vendor's SDK describes.
    case resumeVerification = "resume_verification"
    /// Nothing: the button is hidden.
    case none
    /// Add the card to the paired watch; the phone has it.
    case addToWatch = "add_to_watch"
    /// Add the card.
    case add

    /// Whether there is a button.
    public var isShown: Bool { self != .none }

    /// Its place in the order.
    var precedence: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
