public import Provisioning

/// One attempt to add a card to a wallet, as it is kept: everything but the payload.
public struct StoredProvisioning: Sendable, Equatable {
    /// The id, `prov_…`.
    public var id: String
    /// The card.
    public var card: CardKey
    /// The provider's id, such as `increase`.
    public var provider: String
    /// The connection that serves it to the end.
    public var connection: String
    /// The card's id at the processor when it was sent.
    public var providerCardID: String
    /// The wallet.
    public var wallet: Wallet
    /// The channel.
    public var channel: WalletChannel
    /// The origin.
    public var origin: ProvisioningOrigin
    /// The handoff that was wanted.
    public var handoffType: HandoffType
    /// How far it has come.
    public var status: ProvisioningStatus
    /// When it was reserved.
    public var createdAt: Timestamp
    /// When it was last changed.
    public var updatedAt: Timestamp
    /// When it must be over.
    public var deadlineAt: Timestamp
    /// When the first call that may have reached the processor began; after a crash, when it was reserved.
    public var sentAt: Timestamp?
    /// When the handoff reached the caller, or the device said that it added the card; nil where neither is known.
    public var deliveredAt: Timestamp?
    /// When the handoff stops working.
    public var expiresAt: Timestamp?
    /// How it failed, where it did.
    public var failure: StoredFailure?
    /// How many calls upstream it took.
    public var attempts: Int
    /// The repairs that were made to the handshake.
    public var repairs: [StoredRepair]
    /// What was odd about the request.
    public var warnings: [StoredRepair]
    /// The size of the handoff in bytes.
    public var handoffBytes: Int?
    /// A keyed digest of the handoff.
    public var handoffDigest: [UInt8]?
    /// What happened, in order.
    public var timeline: [TimelineStep]
    /// The instance that runs it.
    public var instance: String
    /// What settled the status, where it was more than the gateway's own part.
    public var settlement: StoredSettlement?
    /// Whether a token was seen that could come from this attempt or from another one as well.
    public var isAmbiguous = false
    /// As of when the processor's last word on the attempt's token is.
    public var tokenSeenAt: Timestamp?
    /// The migration that was in force in the program when it was reserved.
    public var migration: String?
    /// Why it was served by another side than the one that routing gave; nil where it was not.
    public var detour: Detour.Reason?
    /// When it is to be followed up next; nil where nothing more is awaited.
    public var followUpAt: Timestamp?
    /// How often it was followed up.
    public var followUps = 0

    /// Makes a record of its members.
    public init(
        id: String, card: CardKey, provider: String, connection: String, providerCardID: String, wallet: Wallet,
        channel: WalletChannel, origin: ProvisioningOrigin, handoffType: HandoffType, status: ProvisioningStatus,
        createdAt: Timestamp, deadlineAt: Timestamp, repairs: [StoredRepair], warnings: [StoredRepair],
        timeline: [TimelineStep], instance: String
    ) {
        self.id = id
        self.card = card
        self.provider = provider
        self.connection = connection
        self.providerCardID = providerCardID
        self.wallet = wallet
        self.channel = channel
        self.origin = origin
        self.handoffType = handoffType
        self.status = status
        self.createdAt = createdAt
        self.updatedAt = createdAt
        self.deadlineAt = deadlineAt
        self.attempts = 0
        self.repairs = repairs
        self.warnings = warnings
        self.timeline = timeline
        self.instance = instance
    }
}

/// A repair or a warning, by the member it concerns.
public struct StoredRepair: Sendable, Equatable {
    /// The member, as a JSON pointer.
    public var pointer: String
    /// What was repaired or is odd, as a word.
    public var word: String

    /// Makes a note of its members.
    public init(pointer: String, word: String) {
        self.pointer = pointer
        self.word = word
    }
}

/// A step of an attempt.
public struct TimelineStep: Sendable, Equatable {
    /// When.
    public var at: Timestamp
    /// What, as a word: `received`, `checked`, `reserved`, `sent`, `answered`, `handed_off` and so on.
    public var step: String
    /// Who said so: `device`, `gateway`, `provider` or `webhook`.
    public var source: String
    /// The code that came with it.
    public var code: String?
    /// One plain sentence of ours.
    public var detail: String?

    /// Makes a step of its members.
    public init(at: Timestamp, step: String, source: String, code: String? = nil, detail: String? = nil) {
        self.at = at
        self.step = step
        self.source = source
        self.code = code
        self.detail = detail
    }
}

/// How an attempt failed.
public struct StoredFailure: Sendable, Equatable {
    /// Our code.
    public var code: ProblemCode
    /// What is known of the effect.
    public var outcome: ProvisioningOutcome
    /// What had happened, for the retry class.
    public var situation: RetrySituation
    /// Why, for `card_ineligible`.
    public var reason: String?
    /// What the processor said.
    public var upstream: UpstreamReport?

    /// Makes a failure of its members.
    public init(
        code: ProblemCode, outcome: ProvisioningOutcome, situation: RetrySituation, reason: String? = nil,
        upstream: UpstreamReport? = nil
    ) {
        self.code = code
        self.outcome = outcome
        self.situation = situation
        self.reason = reason
        self.upstream = upstream
    }
}

/// Which attempts are wanted.
public struct ProvisioningQuery: Sendable {
    /// The program.
    public var program: String
    /// Only attempts of this card.
    public var card: String?
    /// Only attempts with this status.
    public var status: ProvisioningStatus?
    /// Only attempts at this provider.
    public var provider: String?
    /// Where the page begins.
    public var page: PageRequest

    /// Makes a query of its members.
    public init(
        program: String, card: String? = nil, status: ProvisioningStatus? = nil, provider: String? = nil,
        page: PageRequest
    ) {
        self.program = program
        self.card = card
        self.status = status
        self.provider = provider
        self.page = page
    }
}
