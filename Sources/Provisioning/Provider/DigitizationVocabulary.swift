/// A provider whose SDK tells apps whether a card is in the device's wallets, in words of its own.
///
/// The app reports the word as it got it, and the gateway looks it up: in the serving provider's vocabulary first, then in
/// those of the others, since an app does not know who serves the card now.
public protocol DigitizationVocabulary: ProvisioningProvider {
    /// The SDK's words on every platform, and what they mean. Each is 1 to 64 of `A-Z`, `a-z`, `0-9`, `_`, `.` and `-`.
    static var digitizationStates: [String: DigitizationState] { get }
}
