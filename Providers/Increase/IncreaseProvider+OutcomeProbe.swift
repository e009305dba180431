import ProviderKit
public import Provisioning

/// After a call whose outcome is unknown, the list of the card's tokens tells whether it happened.
///
/// Upstream reference: <https://increase.com/documentation/api/digital-wallet-tokens>.
extension IncreaseProvider: OutcomeProbe {
    /// No card has as many tokens as ten pages hold: a list that goes on is broken.
    private static let pageLimit = 10

    /// The card's tokens that are dated at that moment or later, page by page.
    public func tokens(of card: CardBinding, createdFrom: Timestamp, deadline: ContinuousClock.Instant)
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
