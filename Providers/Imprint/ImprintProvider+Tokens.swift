import ProviderKit
public import Provisioning

/// The entries of a payment method's `tokens` are all that Imprint tells of a card's tokens: that they are there.
extension ImprintProvider: OutcomeProbe, TokenDirectory {
    /// What a token's id looks like. It reaches no URL: a token is read with its payment method.
    public static let tokenIDPattern = IdentifierPattern.prefixed([""], .token, length: 1...64)

    /// Apple's entries that are dated at that moment or later, by their own precision. What has no date, or one that
    /// cannot be read, can be laid to no attempt and is left out; so are merchants' tokens, which are no wallet's.
    public func tokens(of card: CardBinding, createdFrom: Timestamp, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        let call = try configuration.readPaymentMethod(card, deadline: deadline)
        return try await imprint.send(call).imprintTokens(createdFrom: createdFrom)
    }

    /// Apple's entries, dated or not.
    public func tokens(of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        let call = try configuration.readPaymentMethod(card, deadline: deadline)
        return try await imprint.send(call).imprintTokens(createdFrom: nil)
    }

    /// The entry with that id.
    public func token(_ id: String, of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> TokenSighting
    {
        guard Self.tokenIDPattern.matches(id) else { throw ProvisioningError(.tokenNotFound, outcome: .notSent) }
        let tokens = try await tokens(of: card, deadline: deadline)
        guard let token = tokens.first(where: { $0.id == id }) else {
            throw ProvisioningError(.tokenNotFound, outcome: .refused)
        }
        return token
    }
}
