/// A provider that can change tokens.
public protocol TokenLifecycle: TokenDirectory {
    /// Asks for a change of one token.
    ///
    /// - Parameter idempotencyKey: A key for the upstream call, where the processor takes one.
    /// - Returns: The token as the processor says that it stands now, which need not be as asked.
    /// - Throws: `token_not_found` where the processor does not know it; else the normalized failure.
    func change(
        _ token: String, of card: CardBinding, by change: TokenChange, idempotencyKey: String,
        deadline: ContinuousClock.Instant
    ) async throws(ProvisioningError) -> TokenSighting
}
