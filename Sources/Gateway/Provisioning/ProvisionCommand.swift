public import Provisioning
public import SecretMemory
public import Storage

/// A caller's wish to add a card to a wallet, checked for form but not yet for sense.
public struct ProvisionCommand: Sendable {
    /// The cardholder as the caller authenticated it.
    public struct Cardholder: Sendable {
        /// The cardholder's id at the platform.
        public var id: String?
        /// When the cardholder was authenticated.
        public var authenticatedAt: Timestamp?

        /// Makes a cardholder of its members.
        public init(id: String?, authenticatedAt: Timestamp?) {
            self.id = id
            self.authenticatedAt = authenticatedAt
        }
    }

    /// PassKit's handshake as texts, before it is normalised. A member that was not sent is nil: it is asked for only
    /// where the serving handoff needs it.
    public struct ApplePay: Sendable {
        /// The certificates.
        public var certificates: [SecretText]?
        /// The nonce.
        public var nonce: SecretText?
        /// The signature over the nonce.
        public var nonceSignature: SecretText?
        /// How nonce and signature are encoded: `base64` or `hex`; nil where the caller did not say.
        public var encoding: String?

        /// Makes a handshake of its members.
        public init(
            certificates: [SecretText]?, nonce: SecretText?, nonceSignature: SecretText?, encoding: String?
        ) {
            self.certificates = certificates
            self.nonce = nonce
            self.nonceSignature = nonceSignature
            self.encoding = encoding
        }
    }

    /// The card.
    public var card: CardKey
    /// The wallet.
    public var wallet: Wallet
    /// The channel.
    public var channel: WalletChannel
    /// The origin.
    public var origin: ProvisioningOrigin
    /// The handoffs that the app build knows; nil where the caller did not say.
    public var accept: [HandoffType]?
    /// The sealed plan that `wallets` gave.
    public var plan: String?
    /// The cardholder.
    public var cardholder: Cardholder?
    /// PassKit's handshake.
    public var applePay: ApplePay?
    /// Google's handshake.
    public var googlePay: GooglePayHandshake?
    /// The Stripe API version of the app's SDK.
    public var stripeAPIVersion: String?
    /// The card payload that the platform encrypted itself.
    public var encryptedPayload: SecretText?
    /// The caller's idempotency key with the request's fingerprint.
    public var idempotency: IdempotencyClaim?
    /// How many milliseconds the caller waits, where it lowers the deadline.
    public var deadlineMilliseconds: Int?
    /// The W3C trace context.
    public var traceparent: String?
    /// When the request arrived.
    public var receivedAt: ContinuousClock.Instant

    /// Makes a command of what every one has.
    public init(
        card: CardKey, wallet: Wallet, channel: WalletChannel = .inApp, origin: ProvisioningOrigin = .app,
        receivedAt: ContinuousClock.Instant = .now
    ) {
        self.card = card
        self.wallet = wallet
        self.channel = channel
        self.origin = origin
        self.receivedAt = receivedAt
    }
}

/// A handoff on its way to the caller.
public struct ProvisionResult: Sendable {
    /// The record.
    public let record: StoredProvisioning
    /// What the app needs. Seen once.
    public let handoff: Handoff
    /// To be called once, with whether the last byte of the answer was written.
    public let delivered: @Sendable (Bool) -> Void

    /// Makes a result of its members.
    public init(record: StoredProvisioning, handoff: Handoff, delivered: @escaping @Sendable (Bool) -> Void) {
        self.record = record
        self.handoff = handoff
        self.delivered = delivered
    }
}
