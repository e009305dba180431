import ProviderKit
public import Provisioning

/// Checkout.com reads one digital card, and lists none: their ids come from its webhooks alone. It changes none either.
///
/// Upstream reference: `issuing/digitalcards` of `checkout-sdk-go` v3.
extension CheckoutProvider: TokenDirectory {
    /// What a digital card's id looks like.
    public static let tokenIDPattern = IdentifierPattern.prefixed(["dcr_"], .lowercaseAlphanumeric, length: 26...26)

    /// There is no list.
    public static let listsTokens = false

    /// Reads a digital card.
    public func token(_ id: String, of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> TokenSighting
    {
        guard let segment = PathSegment(id, matching: Self.tokenIDPattern) else {
            throw ProvisioningError(.tokenNotFound, outcome: .notSent)
        }
        do throws(ProvisioningError) {
            return try await authorized(until: deadline) { (token) throws(ProvisioningError) in
                let call = configuration.readDigitalCard(segment, token, deadline: deadline)
                return try await api.send(call).checkoutDigitalCard(id)
            }
        } catch {
            throw error.aboutToken
        }
    }
}
