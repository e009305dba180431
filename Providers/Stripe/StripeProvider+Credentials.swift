import ProviderKit
public import Provisioning

extension StripeProvider: CredentialCheck {
    /// The first page of issued cards, of one card.
    public var credentialQuestion: CredentialQuestion? {
        CredentialQuestion(
            "one card of the list", limits: "Whether a restricted key may make ephemeral keys, only an attempt shows.")
    }

    /// Lists one card. Of what it is, nothing is read.
    public func checkCredentials(deadline: ContinuousClock.Instant) async throws(ProvisioningError) {
        _ = try await stripe.send(configuration.listOneCard(deadline: deadline))
    }
}
