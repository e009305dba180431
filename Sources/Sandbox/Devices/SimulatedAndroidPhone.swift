import ProviderKit
public import Provisioning
import SecretMemory

/// An Android phone with Google Wallet, simulated: stable wallet and hardware ids, and a push session of its own for
/// every attempt where the app asks for one.
public struct SimulatedAndroidPhone: SimulatedDevice {
    /// `simulated Android phone`
    public let name = "simulated Android phone"
    /// Google Pay.
    public let wallet = Wallet.googlePay
    /// In app.
    public let channel = WalletChannel.inApp
    /// Opaque cards.
    public let accepts = [HandoffType.googlePayOpaqueCard]
    private let network: SimulatedNetwork
    private let walletID = OpaqueCardAttempt.newID("wallet")
    private let hardwareID = OpaqueCardAttempt.newID("hardware")
    private let hasSession: Bool

    /// A phone that trusts the network. Without a session the card is not saved to the Google account.
    public init(network: SimulatedNetwork, hasSession: Bool = true) {
        self.network = network
        self.hasSession = hasSession
    }

    /// Begins with the phone's ids. A session allows a card for the account, and does not promise one: not every
    /// processor has a use for it.
    public func begin() throws(DeviceFailure) -> any DeviceAttempt {
        OpaqueCardAttempt(
            network: network, walletID: walletID, deviceID: hardwareID,
            sessionID: hasSession ? OpaqueCardAttempt.newID("session") : nil, expectsTokenCard: true,
            expectsAccountCard: false)
    }
}
