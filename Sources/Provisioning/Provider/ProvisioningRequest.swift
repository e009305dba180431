public import SecretMemory

/// One attempt to add a card to a wallet, as a provider sees it.
public struct ProvisioningRequest: Sendable {
    /// The card at the processor.
    public var card: CardBinding
    /// The wallet.
    public var wallet: Wallet
    /// Where the cardholder tapped.
    public var channel: WalletChannel
    /// What the device's wallet gave.
    public var handshake: Handshake
    /// The cardholder's name as the platform registered it.
    public var cardholderName: String
    /// The card's name for people: its title, else the program's display name.
    public var displayName: String
    /// The Stripe API version that the app's SDK asked for.
    public var stripeAPIVersion: String?
    /// The card payload that the platform encrypted itself, for Thales.
    public var encryptedPayload: SecretText?
    /// The key under which the upstream call may be repeated without effect. The same for every try of one attempt.
    public var idempotencyKey: String
    /// The W3C trace context to pass on.
    public var traceparent: String?
    /// When this try's answer is no longer wanted.
    public var deadline: ContinuousClock.Instant

    /// Makes a request of its members.
    public init(
        card: CardBinding, wallet: Wallet, channel: WalletChannel, handshake: Handshake, cardholderName: String,
        displayName: String, stripeAPIVersion: String? = nil, encryptedPayload: SecretText? = nil,
        idempotencyKey: String, traceparent: String? = nil, deadline: ContinuousClock.Instant
    ) {
        self.card = card
        self.wallet = wallet
        self.channel = channel
        self.handshake = handshake
        self.cardholderName = cardholderName
        self.displayName = displayName
        self.stripeAPIVersion = stripeAPIVersion
        self.encryptedPayload = encryptedPayload
        self.idempotencyKey = idempotencyKey
        self.traceparent = traceparent
        self.deadline = deadline
    }
}
