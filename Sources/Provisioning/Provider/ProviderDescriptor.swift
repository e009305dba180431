/// Who a provider is and what it can do, as data: a mismatch is refused before any call.
public struct ProviderDescriptor: Sendable {
    /// How the gateway learns what became of a token.
    public enum TokenFeed: String, Sendable {
        /// Tokens can be listed.
        case list
        /// The processor sends webhooks about tokens.
        case webhooks
        /// Neither.
        case none
    }

    /// The provider's id in the configuration and in answers, such as `increase`.
    public let id: String
    /// The provider's name for people.
    public let displayName: String
    /// What the processor's card ids look like. No other text reaches a URL.
    public let cardIDPattern: IdentifierPattern
    /// How tokens are followed.
    public let tokenFeed: TokenFeed
    /// Whether it says when a token becomes active. One that does not tells of tokens that are there, and no more.
    public let tellsActivation: Bool
    /// The wallets and channels it serves, a row each.
    public let wallets: [WalletSupport]

    /// Why what it says of eligibility does not show that provisioning works; nil where it shows something.
    public let eligibilityGap: EligibilityGap?

    /// Makes a descriptor of its members.
    public init(
        id: String, displayName: String, cardIDPattern: IdentifierPattern, tokenFeed: TokenFeed,
        tellsActivation: Bool = true, eligibilityGap: EligibilityGap? = nil, wallets: [WalletSupport]
    ) {
        self.id = id
        self.displayName = displayName
        self.cardIDPattern = cardIDPattern
        self.tokenFeed = tokenFeed
        self.tellsActivation = tellsActivation
        self.eligibilityGap = eligibilityGap
        self.wallets = wallets
    }

    /// How the provider serves a wallet on a channel; nil where it does not.
    public func support(for wallet: Wallet, on channel: WalletChannel) -> WalletSupport? {
        wallets.first { $0.wallet == wallet && $0.channel == channel }
    }
}
