/// A provider that can tell, after a call whose outcome is unknown, whether it happened.
public protocol OutcomeProbe: ProvisioningProvider {
    /// The tokens of the card that the processor knows, created at that moment or later.
    ///
    /// - Throws: The normalized failure, where the processor gave no answer.
    func tokens(of card: CardBinding, createdFrom: Timestamp, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
}
