public import PassgateContract

/// Whether a card can be added to a wallet, and all that a button or a wallet extension shows of it.
public struct WalletEligibility: Codable, Hashable, Sendable {
    /// Adding the card by typing its number.
    public struct Manual: Codable, Hashable, Sendable {
        /// Whether it can work; nil where that is not known.
        public let available: Bool?
        /// What the processor lacks for it.
        public let missing: [String]
    }

    /// A problem in brief.
    public struct Brief: Codable, Hashable, Sendable {
        /// The stable code.
        public let code: ProblemCode
        /// What to do next.
        public let retry: RetryClass
        /// What happened.
        public let detail: String
    }

    /// `wallet_eligibility`
    public let object: String
    /// The card.
    public let card: String
    /// The wallet.
    public let wallet: Wallet
    /// The serving processor.
    public let provider: String?
    /// The serving connection.
    public let connection: String?
    /// Whether it can be added; nil where the processor gave no answer.
    public let eligible: Bool?
    /// Why not, as a word.
    public let reason: String?
    /// Where it is served.
    public let channels: [WalletChannel]
    /// What the app will get.
    public let handoff: HandoffType?
    /// Pins who serves, and the handoff, for 15 minutes: to be sent with the attempt.
    public let plan: String?
    /// Which card it is on devices that have it. Never to be kept.
    public let primaryAccountIdentifier: String?
    /// What adding the card by hand would need.
    public let manualProvisioning: Manual
    /// For `PKAddPaymentPassRequestConfiguration`; Apple Pay only.
    public let applePayConfiguration: ApplePayConfiguration?
    /// What the card is called.
    public let title: String?
    /// Where its picture is.
    public let artURL: String?
    /// Why the processor gave no answer.
    public let problem: Brief?

    enum CodingKeys: String, CodingKey {
        case object, card, wallet, provider, connection, eligible, reason, channels, handoff, plan, title, problem
        case primaryAccountIdentifier = "primary_account_identifier"
        case manualProvisioning = "manual_provisioning"
        case applePayConfiguration = "apple_pay_configuration"
        case artURL = "art_url"
    }
}
