import ProviderKit
public import Provisioning
import SecretMemory

/// A browser with Google's push provisioning window, simulated: a session for every attempt, and the public ids where
/// one of the cardholder's devices can take the card.
public struct SimulatedBrowser: SimulatedDevice {
    /// `simulated browser`
    public let name = "simulated browser"
    /// Google Pay.
    public let wallet = Wallet.googlePay
    /// On the web.
    public let channel = WalletChannel.web
    /// Opaque cards.
    public let accepts = [HandoffType.googlePayOpaqueCard]
    private let network: SimulatedNetwork
    private let hasDevice: Bool

    /// A browser that trusts the network. Without a device there is only the card for the Google account.
    public init(network: SimulatedNetwork, hasDevice: Bool = true) {
        self.network = network
        self.hasDevice = hasDevice
    }

    /// Begins with a new session.
    public func begin() throws(DeviceFailure) -> any DeviceAttempt {
        OpaqueCardAttempt(
            network: network, walletID: hasDevice ? OpaqueCardAttempt.newID("publicwallet") : nil,
            deviceID: hasDevice ? OpaqueCardAttempt.newID("publicdevice") : nil,
            sessionID: OpaqueCardAttempt.newID("session"), expectsTokenCard: hasDevice,
            expectsAccountCard: true)
    }
}
