import ProviderKit
public import Provisioning

extension IncreaseProvider: CredentialCheck {
    /// The first page of cards, of one card.
    public var credentialQuestion: CredentialQuestion? {
        CredentialQuestion(
            "one card of the list", limits: "Whether push provisioning is enabled, only an attempt shows.")
    }

    /// Lists one card. Of what it is, nothing is read.
    public func checkCredentials(deadline: ContinuousClock.Instant) async throws(ProvisioningError) {
        _ = try await increase.send(configuration.listOneCard(deadline: deadline))
    }
}
