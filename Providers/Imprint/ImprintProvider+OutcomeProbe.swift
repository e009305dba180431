import ProviderKit
public import Provisioning

/// After a call whose outcome is unknown, an entry of the payment method's `tokens` is the only sign that it happened.
extension ImprintProvider: OutcomeProbe {
    /// Apple's entries that are dated at that moment or later, by their own precision. What has no date, or one that
    /// cannot be read, can be laid to no attempt and is left out; so are merchants' tokens, which are no wallet's.
    public func tokens(of card: CardBinding, createdFrom: Timestamp, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        let call = try configuration.readPaymentMethod(card, deadline: deadline)
        return try await imprint.send(call).imprintTokens(createdFrom: createdFrom)
    }
}
