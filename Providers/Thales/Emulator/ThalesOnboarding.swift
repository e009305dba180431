import ProviderKit
import Sandbox
import SecretMemory

/// What an issuer and Thales agree on before the first card, simulated. Everything is invented, the keys fresh in every
/// process.
struct ThalesOnboarding: Sendable {
    static let issuerID = "SIMISSUER1"
    static let keyID = "simulated-issuer-key-1"

    /// The same for every emulator of the process: making RSA keys takes a moment.
    static let shared = Result { () throws(LaboratoryFailure) in try ThalesOnboarding() }

    /// The issuer's private key, PEM.
    let issuerKey: SecretText
    /// Knows the issuer's signature.
    let verifier: TokenVerifier
    /// Opens the envelopes.
    let gateway: SimulatedRecipient

    private init() throws(LaboratoryFailure) {
        do throws(CryptographyFailure) { (verifier, issuerKey) = try TokenVerifier.makeRSAPair() } catch {
            throw LaboratoryFailure("the issuer's key could not be made: \(error)")
        }
        gateway = try SimulatedRecipient(named: "Simulated TSH Issuer Gateway")
    }
}
