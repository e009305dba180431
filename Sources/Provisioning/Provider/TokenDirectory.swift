/// A provider that can be asked for tokens.
public protocol TokenDirectory: ProvisioningProvider {
    /// What the processor's token ids look like. No other text reaches a URL.
    static var tokenIDPattern: IdentifierPattern { get }

    /// Whether the processor can list a card's tokens. Where it cannot, only what its webhooks told of is known.
    static var listsTokens: Bool { get }

    /// Every token of the card that the processor lists, over all its pages.
    ///
    /// - Throws: The normalized failure, where the processor gave no whole answer.
    func tokens(of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]

    /// One token, as it stands now.
    ///
    /// - Throws: `token_not_found` where the processor does not know it; else the normalized failure.
    func token(_ id: String, of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> TokenSighting
}

extension TokenDirectory {
    /// Most processors list tokens.
    public static var listsTokens: Bool { true }

    /// A processor without lists has none to give.
    public func tokens(of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        throw ProvisioningError(.operationUnsupported, outcome: .notSent)
    }
}
