/// Where the cardholder taps the button.
public enum WalletChannel: String, Sendable, CaseIterable, Hashable {
    /// In the platform's app, or in its wallet extension.
    case inApp = "in_app"
    /// On the platform's web page.
    case web
}
