public import SecretMemory

/// Opaque payment cards for Google's push provisioning, byte-identical to what the processor gave.
public struct GooglePayOpaqueCard: Sendable {
    /// A network or token service provider in Google's words: in app a TapAndPay number, on the web a text.
    public enum Constant: Sendable, Equatable {
        /// A TapAndPay constant, for the Android SDK.
        case number(Int)
        /// A name, for the web library.
        case name(String)
    }

    /// The card for the token service provider: adds the card to a device.
    public let tokenCard: SecretText?
    /// The card for the cardholder's Google account.
    public let accountCard: SecretText?
    /// Google's constant for the network.
    public let network: Constant?
    /// Google's constant for the token service provider. Its numbering differs from the networks'.
    public let tokenServiceProvider: Constant?
    /// The last four digits, for `lastDigits`.
    public let last4: String
    /// The card's name, for `displayName`.
    public let displayName: String

    /// Makes opaque cards of their members.
    public init(
        tokenCard: SecretText?, accountCard: SecretText?, network: Constant?, tokenServiceProvider: Constant?,
        last4: String, displayName: String
    ) {
        self.tokenCard = tokenCard
        self.accountCard = accountCard
        self.network = network
        self.tokenServiceProvider = tokenServiceProvider
        self.last4 = last4
        self.displayName = displayName
    }
}
