public import Provisioning

/// Where a program's events are sent, as it is kept. Its secrets are sealed.
public struct StoredDestination: Sendable, Equatable {
    /// Whether events are sent there.
    public enum Status: String, Sendable, CaseIterable {
        /// They are.
        case enabled
        /// It said that it wants no more.
        case disabled
    }

    /// The id, `dest_…`.
    public var id: String
    /// The program.
    public var program: String
    /// The URL that events are posted to.
    public var url: String
    /// Whether events are sent there.
    public var status: Status
    /// The secret that signs, sealed.
    public var sealedSecret: String
    /// The secret before it, sealed, where there is one.
    public var formerSealedSecret: String?
    /// Until when the secret before it signs as well.
    public var formerUntil: Timestamp?
    /// When it was made.
    public var createdAt: Timestamp
    /// When it last changed.
    public var updatedAt: Timestamp

    /// Makes a destination of its members, enabled and with one secret unless told otherwise.
    public init(
        id: String, program: String, url: String, status: Status = .enabled, sealedSecret: String,
        formerSealedSecret: String? = nil, formerUntil: Timestamp? = nil, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.program = program
        self.url = url
        self.status = status
        self.sealedSecret = sealedSecret
        self.formerSealedSecret = formerSealedSecret
        self.formerUntil = formerUntil
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The sealed secrets that sign at a moment, the current one first.
    public func sealedSecrets(at now: Timestamp) -> [String] {
        guard let formerSealedSecret, let formerUntil, now < formerUntil else { return [sealedSecret] }
        return [sealedSecret, formerSealedSecret]
    }
}

/// A wish to replace a destination's secret.
public struct SecretRotation: Sendable {
    /// The destination's id.
    public var id: String
    /// Its program.
    public var program: String
    /// The new secret, sealed.
    public var sealedSecret: String
    /// Until when the one that it replaces signs as well.
    public var formerUntil: Timestamp
    /// The moment.
    public var at: Timestamp

    /// Makes a rotation of its members.
    public init(id: String, program: String, sealedSecret: String, formerUntil: Timestamp, at: Timestamp) {
        self.id = id
        self.program = program
        self.sealedSecret = sealedSecret
        self.formerUntil = formerUntil
        self.at = at
    }
}
