import ProviderKit
public import Provisioning

extension ThalesProvider: CredentialCheck {
    /// The id of a card that the vault is asked for.
    private static let nobodysID = "passgate-doctor-no-such-card"

    /// A card that the vault does not have; nobody, where the platform encrypts by itself. Thales itself is never
    /// called.
    public var credentialQuestion: CredentialQuestion? {
        configuration.cardSource.map { _ in
            CredentialQuestion(
                "a card that the vault does not have",
                limits: "Whether Thales knows the signing key and the issuer, only an attempt in an app shows.")
        }
    }

    /// Reads the card that nobody has. That it is not found is the answer of a vault that took the token.
    public func checkCredentials(deadline: ContinuousClock.Instant) async throws(ProvisioningError) {
        guard let source = configuration.cardSource else { return }
        let nobodys = CardBinding(
            connection: "", providerCardID: Self.nobodysID, providerCardholderID: nil, last4: "0000", network: .visa,
            productID: nil)
        do throws(ProvisioningError) {
            let path = try Self.descriptor.pathSegment(for: nobodys)
            _ = try await vault.send(source.readCard(path, traceparent: nil, deadline: deadline))
        } catch {
            guard error.code == .providerCardNotFound else { throw error }
        }
    }
}
