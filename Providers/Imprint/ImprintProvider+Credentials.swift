import ProviderKit
public import Provisioning

extension ImprintProvider: CredentialCheck {
    /// The id that no payment method has.
    private static let nobodysID = "00000000-0000-0000-0000-000000000000"

    /// A payment method that there is not: Imprint documents no list of them.
    public var credentialQuestion: CredentialQuestion? {
        CredentialQuestion("a payment method that there is not")
    }

    /// Reads the payment method that nobody has. That it is not found is the answer of who took the credentials.
    public func checkCredentials(deadline: ContinuousClock.Instant) async throws(ProvisioningError) {
        let nobodys = CardBinding(
            connection: "", providerCardID: Self.nobodysID, providerCardholderID: nil, last4: "0000", network: .visa,
            productID: nil)
        do throws(ProvisioningError) {
            _ = try await imprint.send(configuration.readPaymentMethod(nobodys, deadline: deadline))
        } catch {
            guard error.code == .providerCardNotFound else { throw error }
        }
    }
}
