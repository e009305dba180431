import Crypto
public import ProviderKit
import Provisioning
public import SecretMemory

/// Someone to whom cards are encrypted, simulated: the holder of an RSA key, and a certificate to show at onboarding.
public struct SimulatedRecipient: Sendable {
    /// The certificate as PEM text, good for a year.
    public let certificate: String
    private let key: RSAPrivateKey

    /// A recipient with a fresh key.
    ///
    /// - Throws: ``LaboratoryFailure`` where the key could not be made.
    public init(named name: String) throws(LaboratoryFailure) {
        let start = SandboxClock().now.adding(milliseconds: -86_400_000)
        let end = start.adding(milliseconds: 366 * 86_400_000)
        do throws(CryptographyFailure) {
            key = try RSAPrivateKey()
            certificate = try CertificateAuthority.root(named: "\(name) Root", from: start, until: end)
                .issue(to: name, key: key.publicKey, from: start, until: end).pem
        } catch {
            throw LaboratoryFailure("the key of \(name) could not be made: \(error)")
        }
    }

    /// Opens a CMS EnvelopedData with AES-256-CBC, and tells how its content key travelled.
    ///
    /// - Throws: ``LaboratoryFailure`` where it is none, has other algorithms, or is for somebody else.
    public func open(_ envelope: SecretBytes) throws(LaboratoryFailure) -> (
        content: SecretBytes, keyTransport: KeyTransport
    ) {
        do throws(CryptographyFailure) { return try key.open(envelope: envelope) } catch {
            throw LaboratoryFailure(error.description)
        }
    }
}
