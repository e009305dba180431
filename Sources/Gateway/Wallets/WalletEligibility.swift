public import Provisioning
public import Storage

/// Whether a card can be added to a wallet, and all that a button or a wallet extension shows of it.
public struct WalletEligibility: Sendable {
    /// The card.
    public var card: CardKey
    /// The wallet.
    public var wallet: Wallet
    /// The serving provider's id.
    public var provider: String
    /// The serving connection.
    public var connection: String
    /// What the provider answered.
    public var eligibility: Eligibility
    /// The channels on which it is served.
    public var channels: [WalletChannel]
    /// What the app gets.
    public var handoff: HandoffType?
    /// The sealed plan that pins connection and handoff for 15 minutes.
    public var plan: String?
    /// What `PKAddPaymentPassRequestConfiguration` needs; Apple Pay only.
    public var applePayConfiguration: ApplePayConfiguration?
    /// The card's name for people.
    public var title: String?
    /// Where the card's picture is.
    public var artURL: String?
    /// Why the provider gave no answer, where it gave none.
    public var problem: Problem?

    /// Makes an answer of its members.
    public init(
        card: CardKey, wallet: Wallet, provider: String, connection: String, eligibility: Eligibility,
        channels: [WalletChannel], handoff: HandoffType?, plan: String?,
        applePayConfiguration: ApplePayConfiguration?, title: String?, artURL: String?, problem: Problem?
    ) {
        self.card = card
        self.wallet = wallet
        self.provider = provider
        self.connection = connection
        self.eligibility = eligibility
        self.channels = channels
        self.handoff = handoff
        self.plan = plan
        self.applePayConfiguration = applePayConfiguration
        self.title = title
        self.artURL = artURL
        self.problem = problem
    }
}

/// What `PKAddPaymentPassRequestConfiguration` needs.
public struct ApplePayConfiguration: Sendable, Equatable {
    /// `cardholderName`
    public var cardholderName: String
    /// `primaryAccountSuffix`
    public var primaryAccountSuffix: String
    /// `localizedDescription`
    public var localizedDescription: String
    /// `paymentNetwork`, in our words.
    public var paymentNetwork: String
    /// `encryptionScheme`: always `ECC_V2`.
    public var encryptionScheme: String
    /// `primaryAccountIdentifier`, where the processor knows it.
    public var primaryAccountIdentifier: String?

    /// Makes a configuration of its members.
    public init(
        cardholderName: String, primaryAccountSuffix: String, localizedDescription: String, paymentNetwork: String,
        encryptionScheme: String = "ECC_V2", primaryAccountIdentifier: String?
    ) {
        self.cardholderName = cardholderName
        self.primaryAccountSuffix = primaryAccountSuffix
        self.localizedDescription = localizedDescription
        self.paymentNetwork = paymentNetwork
        self.encryptionScheme = encryptionScheme
        self.primaryAccountIdentifier = primaryAccountIdentifier
    }
}
