public import Provisioning

/// What a processor says of one card's tokens.
public struct TokenReport: Sendable {
    /// The card.
    public var card: CardKey
    /// The provider's id, such as `stripe`.
    public var provider: String
    /// The connection.
    public var connection: String
    /// The card's id at the processor that the tokens belong to.
    public var providerCardID: String
    /// Who made the processor say it: `probe` or `webhook`.
    public var source: StoredSettlement.Source
    /// The tokens.
    public var tokens: [TokenSighting]
    /// As of when it is, by the processor's word or, of an answer, when it was asked for.
    public var observedAt: Timestamp
    /// When it came.
    public var receivedAt: Timestamp
    /// The delivery that says it, where one does: it is ended with the report, and a report of a delivery that this
    /// instance does not hold has no effect.
    public var delivery: InboundEnd?
    /// The change that made the processor say it, for the audit trail.
    public var change: TokenChangeNote?

    /// Makes a report of its members.
    public init(
        card: CardKey, provider: String, connection: String, providerCardID: String,
        source: StoredSettlement.Source, tokens: [TokenSighting], observedAt: Timestamp, receivedAt: Timestamp,
        delivery: InboundEnd? = nil, change: TokenChangeNote? = nil
    ) {
        self.card = card
        self.provider = provider
        self.connection = connection
        self.providerCardID = providerCardID
        self.source = source
        self.tokens = tokens
        self.observedAt = observedAt
        self.receivedAt = receivedAt
        self.delivery = delivery
        self.change = change
    }
}

/// A change of a token that somebody asked for.
public struct TokenChangeNote: Sendable {
    /// The token's id.
    public var token: String
    /// What was asked for.
    public var change: TokenChange
    /// How the token stood before.
    public var former: TokenStatus
    /// How the processor says that it stands now; nil where it gave no answer and may have changed it.
    public var status: TokenStatus?
    /// Who asked.
    public var actor: AuditActor

    /// Makes a note of its members.
    public init(token: String, change: TokenChange, former: TokenStatus, status: TokenStatus?, actor: AuditActor) {
        self.token = token
        self.change = change
        self.former = former
        self.status = status
        self.actor = actor
    }
}

/// What came of a report.
public struct TokenSettlement: Sendable {
    /// The attempts that changed.
    public var attempts: [StoredProvisioning] = []
    /// The tokens that it told of, as they are kept now, in the order of their creation.
    public var tokens: [StoredToken] = []
    /// Whether a token may come from an attempt that is still being sent: it is to be reported again.
    public var isTooEarly = false

    /// Nothing.
    public init() {}
}
