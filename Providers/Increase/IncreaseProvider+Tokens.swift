import ProviderKit
public import Provisioning

/// Increase lists tokens and reads them. It has no call that changes one.
///
/// Upstream reference: <https://increase.com/documentation/api/digital-wallet-tokens>.
extension IncreaseProvider: OutcomeProbe, TokenDirectory {
    /// What a token's id looks like.
    public static let tokenIDPattern = IdentifierPattern.prefixed(
        ["digital_wallet_token_", "sandbox_digital_wallet_token_"], .lowercaseAlphanumeric, length: 1...64)
    /// What the id of a request for a token looks like.
    static let tokenRequestIDPattern = IdentifierPattern.prefixed(
        ["digital_wallet_token_request_", "sandbox_digital_wallet_token_request_"], .lowercaseAlphanumeric,
        length: 1...64)

    /// No card has as many tokens as ten pages hold: a list that goes on is broken.
    private static let pageLimit = 10

    /// The card's tokens that are dated at that moment or later, page by page.
    public func tokens(of card: CardBinding, createdFrom: Timestamp, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        try await list(of: card, createdFrom: createdFrom, deadline: deadline)
    }

    /// All of the card's tokens, page by page.
    public func tokens(of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        try await list(of: card, createdFrom: nil, deadline: deadline)
    }

    /// Reads a token. The card that it belongs to may be another than before: a replacement takes its tokens with it.
    public func token(_ id: String, of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> TokenSighting
    {
        let call = try configuration.readToken(id, deadline: deadline)
        do throws(ProvisioningError) { return try await increase.send(call).increaseToken(id) } catch {
            throw error.aboutToken
        }
    }

    private func list(of card: CardBinding, createdFrom: Timestamp?, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        var sightings: [TokenSighting] = []
        var cursor: String?
        for _ in 0..<Self.pageLimit {
            let call = try configuration.listTokens(
                of: card, createdFrom: createdFrom, cursor: cursor, deadline: deadline)
            let answer = try await increase.send(call)
            sightings += try answer.increaseTokens(createdFrom: createdFrom)
            guard let next = try answer.increaseNextCursor() else { return sightings }
            guard next != cursor else { throw answer.violation("has the cursor that it was asked for") }
            cursor = next
        }
        throw ProvisioningError(
            .providerContractViolation, outcome: .unknown, detail: "The processor's list of tokens does not end.")
    }
}
