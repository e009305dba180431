import ProviderKit
public import Provisioning

/// Stripe lists tokens, reads them, and changes them.
///
/// Upstream reference: <https://docs.stripe.com/api/issuing/tokens>.
extension StripeProvider: OutcomeProbe, TokenLifecycle {
    /// What a token's id looks like.
    public static let tokenIDPattern = IdentifierPattern.prefixed(["intok_"], .alphanumeric, length: 1...64)

    /// No card has as many tokens as ten pages hold: a list that goes on is broken.
    private static let pageLimit = 10

    /// Lists the card's network tokens that were made at that moment or later, page by page.
    public func tokens(of card: CardBinding, createdFrom: Timestamp, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        try await list(of: card, createdFrom: createdFrom, deadline: deadline)
    }

    /// Lists all of the card's network tokens, page by page.
    public func tokens(of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        try await list(of: card, createdFrom: nil, deadline: deadline)
    }

    /// Reads a token, with what the network told of its device.
    public func token(_ id: String, of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> TokenSighting
    {
        let call = try configuration.readToken(id, deadline: deadline)
        do throws(ProvisioningError) { return try await stripe.send(call).stripeToken(id) } catch {
            throw error.aboutToken
        }
    }

    /// Writes the token's status. Stripe answers with the token as it then stands.
    public func change(
        _ token: String, of card: CardBinding, by change: TokenChange, idempotencyKey: String,
        deadline: ContinuousClock.Instant
    ) async throws(ProvisioningError) -> TokenSighting {
        let call = try configuration.changeToken(
            token, by: change, idempotencyKey: idempotencyKey, deadline: deadline)
        do throws(ProvisioningError) { return try await stripe.send(call).stripeToken(token) } catch {
            throw error.aboutToken
        }
    }

    private func list(of card: CardBinding, createdFrom: Timestamp?, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        var tokens: [TokenSighting] = []
        var last: String?
        for _ in 0..<Self.pageLimit {
            let call = try configuration.listTokens(
                of: card, createdFrom: createdFrom, after: last, deadline: deadline)
            let answer = try await stripe.send(call)
            let (page, next) = try answer.stripeTokens()
            tokens += page
            guard let next else { return tokens }
            guard next != last else { throw answer.violation("ends where it was asked to begin") }
            last = next
        }
        throw ProvisioningError(
            .providerContractViolation, outcome: .unknown, detail: "The processor's list of tokens does not end.")
    }
}
