/// Where the cardholder taps the button.
public enum WalletChannel: OpenWord {
    /// In the platform's app, or in its wallet extension.
    case inApp
    /// On the platform's web page.
    case web
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [WalletChannel] = [
        .inApp,
        .web,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .inApp: "in_app"
        case .web: "web"
        case .other(let word): word
        }
    }
}
