import Crypto
import ProviderKit
public import Provisioning
import SecretMemory

/// An iPhone, simulated: an intermediate of its own, and for every attempt a fresh leaf, a nonce and its signature, as
/// `PKAddPaymentPassViewController` gives them to its delegate.
public struct SimulatedPhone: SimulatedDevice {
    /// `simulated iPhone`
    public let name = "simulated iPhone"
    /// Apple Pay.
    public let wallet = Wallet.applePay
    /// In app.
    public let channel = WalletChannel.inApp
    /// Encrypted passes.
    public let accepts = [HandoffType.applePayPass]
    private let network: SimulatedNetwork
    private let intermediate: CertificateAuthority
    private let start: Timestamp

    /// A phone that trusts the network.
    ///
    /// - Throws: ``DeviceFailure`` where its certificates could not be made.
    public init(network: SimulatedNetwork) throws(DeviceFailure) {
        self.network = network
        start = SandboxClock().now.adding(milliseconds: -86_400_000)
        do throws(CryptographyFailure) {
            let end = start.adding(milliseconds: 365 * 86_400_000)
            let root = try CertificateAuthority.root(named: "Simulated Wallet Root", from: start, until: end)
            intermediate = try root.intermediate(named: "Simulated Wallet Intermediate", from: start, until: end)
        } catch {
            throw DeviceFailure("the phone's certificates could not be made: \(error)")
        }
    }

    /// Begins with a fresh leaf and nonce.
    public func begin() throws(DeviceFailure) -> any DeviceAttempt { try beginPass() }

    /// The same, with what the handshake is made of, for tests that change it.
    public func beginPass() throws(DeviceFailure) -> PassAttempt {
        do throws(CryptographyFailure) {
            let key = try P256PrivateKey()
            let leaf = try intermediate.issue(
                to: "Simulated iPhone", key: key.publicKey, from: start,
                until: start.adding(milliseconds: 30 * 86_400_000))
            let nonce = SecureRandom.secret(16)
            let signature = SecretBytes(try key.signature(of: nonce))
            return PassAttempt(
                certificates: [leaf.der, intermediate.certificate.der], nonce: nonce, nonceSignature: signature,
                network: network, key: key)
        } catch {
            throw DeviceFailure("the phone's handshake could not be made: \(error)")
        }
    }
}
