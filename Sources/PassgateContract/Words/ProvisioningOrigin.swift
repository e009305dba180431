/// What began the provisioning on the device.
public enum ProvisioningOrigin: OpenWord {
    /// The platform's app.
    case app
    /// The app's wallet extension: the cardholder began inside the wallet.
    case walletExtension
    /// A web page.
    case web
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [ProvisioningOrigin] = [
        .app,
        .walletExtension,
        .web,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .app: "app"
        case .walletExtension: "wallet_extension"
        case .web: "web"
        case .other(let word): word
        }
    }
}
