public import Provisioning

/// A cardholder's device as the laboratory plays it. It says that it is simulated wherever it is named.
public protocol SimulatedDevice: Sendable {
    /// The device's name for people.
    var name: String { get }
    /// Its wallet.
    var wallet: Wallet { get }
    /// Where the cardholder taps.
    var channel: WalletChannel { get }
    /// The handoffs that its app knows.
    var accepts: [HandoffType] { get }

    /// Begins to add a card: makes a fresh handshake.
    ///
    /// - Throws: ``DeviceFailure`` where the handshake could not be made.
    func begin() throws(DeviceFailure) -> any DeviceAttempt
}
