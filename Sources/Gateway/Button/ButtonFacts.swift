public import Provisioning

/// All that the button is decided by.
public struct ButtonFacts: Sendable {
    /// The wallet.
    public var wallet: Wallet
    /// What the serving provider says of the card.
    public var eligibility: Eligibility
    /// The serving provider's id.
    public var provider: String
    /// The serving connection.
    public var connection: String
    /// Whether the serving provider has credentials for activating a pass.
    public var hasActivationCredential: Bool
    /// What the app says of its device.
    public var device: DeviceFacts
    /// What the SDK's word means; nil where there is none, or nobody knows it.
    public var digitization: DigitizationState?
    /// The tokens of the card on the device, by its last four digits; nil where the app did not list tokens.
    public var tokens: [DeviceToken]?
    /// How many tokens of other cards there are.
    public var otherTokens: Int?

    /// Makes facts of its members. The tokens are those of the device whose last four digits are `last4`.
    public init(
        wallet: Wallet, eligibility: Eligibility, provider: String, connection: String, hasActivationCredential: Bool,
        device: DeviceFacts, digitization: DigitizationState?, last4: String
    ) {
        self.wallet = wallet
        self.eligibility = eligibility
        self.provider = provider
        self.connection = connection
        self.hasActivationCredential = hasActivationCredential
        self.device = device
        self.digitization = digitization
        let tokens = device.tokens.map { $0.filter { $0.last4 == last4 } }
        self.tokens = tokens
        otherTokens = tokens.map { (device.tokens?.count ?? 0) - $0.count }
    }
}
