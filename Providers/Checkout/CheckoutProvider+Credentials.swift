import ProviderKit
public import Provisioning

extension CheckoutProvider: CredentialCheck {
    /// The id that no card has, as far as anybody can tell: 26 zeros.
    private static let nobodysID = "crd_" + String(repeating: "0", count: 26)

    /// An access token, and with it a card that there is not.
    public var credentialQuestion: CredentialQuestion? {
        CredentialQuestion(
            "an access token, and a card that there is not",
            limits: "Whether Thales D1 knows the signing keys, only an attempt in an app shows.")
    }

    /// Gets an access token, and reads the card that nobody has: the token's scopes and the API's address are seen by
    /// it. That it is not found is the answer of who took the token.
    public func checkCredentials(deadline: ContinuousClock.Instant) async throws(ProvisioningError) {
        let nobodys = CardBinding(
            connection: "", providerCardID: Self.nobodysID, providerCardholderID: nil, last4: "0000", network: .visa,
            productID: nil)
        do throws(ProvisioningError) {
            _ = try await read(nobodys, deadline: deadline)
        } catch {
            guard error.code == .providerCardNotFound else { throw error }
        }
    }
}
