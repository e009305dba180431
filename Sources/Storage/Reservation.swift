public import Provisioning

/// What must be durable before the first byte leaves.
public struct Reservation: Sendable {
    /// The record, with status `sending`.
    public var record: StoredProvisioning
    /// What the gateway planned with. Where the card is otherwise now, nothing is reserved.
    public var card: ServingCard
    /// Why another side serves it than the one that routing gives; nil where none does.
    public var detour: Detour?
    /// The keyed digest of a single-use handshake; nil where the handshake can be used again.
    public var handshakeDigest: [UInt8]?
    /// The same handshake's digests under former keys: spent under one of them, it is spent.
    public var formerHandshakeDigests: [[UInt8]]
    /// How long a spent handshake is remembered.
    public var handshakeExpiresAt: Timestamp
    /// The idempotency key that the caller gave.
    public var idempotency: IdempotencyClaim?

    /// Makes a reservation of its members.
    public init(
        record: StoredProvisioning, card: ServingCard, detour: Detour? = nil, handshakeDigest: [UInt8]?,
        formerHandshakeDigests: [[UInt8]] = [], handshakeExpiresAt: Timestamp, idempotency: IdempotencyClaim?
    ) {
        self.record = record
        self.card = card
        self.detour = detour
        self.handshakeDigest = handshakeDigest
        self.formerHandshakeDigests = formerHandshakeDigests
        self.handshakeExpiresAt = handshakeExpiresAt
        self.idempotency = idempotency
    }
}

/// What became of a reservation. Only the first changed anything.
public enum ReservationResult: Sendable, Equatable {
    /// It is durable.
    case reserved
    /// The handshake was spent before.
    case handshakeReused
    /// The idempotency key is taken; the gateway decides what that means.
    case idempotencyKeyTaken(IdempotencyRecord)
    /// The card is not what the gateway planned with.
    case cardChanged
    /// The card is gone.
    case cardGone
}

/// How an attempt ended, as far as the gateway's own part goes.
public struct ProvisioningCompletion: Sendable {
    /// The record as it is now. Its id and card are as reserved.
    public var record: StoredProvisioning
    /// The digest to give back, where the transport proved that nothing was sent.
    public var releasedHandshake: [UInt8]?
    /// What is kept under the idempotency key.
    public var idempotency: (key: IdempotencyKey, ending: IdempotencyEnding)?

    /// Makes a completion of its members.
    public init(
        record: StoredProvisioning, releasedHandshake: [UInt8]?,
        idempotency: (key: IdempotencyKey, ending: IdempotencyEnding)?
    ) {
        self.record = record
        self.releasedHandshake = releasedHandshake
        self.idempotency = idempotency
    }
}
