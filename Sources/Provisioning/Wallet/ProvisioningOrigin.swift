/// What started the provisioning on the device.
public enum ProvisioningOrigin: String, Sendable, CaseIterable, Hashable {
    /// The platform's app.
    case app
    /// The app's wallet extension: the cardholder began inside the wallet.
    case walletExtension = "wallet_extension"
    /// A web page.
    case web
}
