public import Provisioning

/// An API key as the store keeps it: by its digest, never by its text nor a part of it.
public struct StoredAPIKey: Sendable, Equatable {
    /// Its id: `key_`, the time and 85 random bits.
    public let id: String
    /// Its name, for the audit trail and the log. No two keys in force have the same.
    public let name: String
    /// SHA-256 of the whole text, `pgk_` included.
    public let digest: [UInt8]
    /// What it allows, as words without a space.
    public let scopes: [String]
    /// The programs that it is confined to, as words without a space; nil for all.
    public let programs: [String]?
    /// When it was made.
    public let createdAt: Timestamp
    /// When it was revoked; nil while it is in force.
    public var revokedAt: Timestamp?

    /// What every id begins with.
    public static let idPrefix = "key_"

    /// Makes a key of its members.
    public init(
        id: String, name: String, digest: [UInt8], scopes: [String], programs: [String]?, createdAt: Timestamp,
        revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.digest = digest
        self.scopes = scopes
        self.programs = programs
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }

    /// A new key, with an id of its own.
    public init(name: String, digest: [UInt8], scopes: [String], programs: [String]?, at now: Timestamp) {
        self.init(
            id: IDDigits.id(Self.idPrefix, at: now), name: name, digest: digest, scopes: scopes, programs: programs,
            createdAt: now)
    }

    /// What the audit trail keeps of it.
    var auditMembers: [AuditMember] {
        [("name", name), ("scopes", scopes.joined(separator: " "))].map {
            AuditMember(name: $0.0, value: $0.1, isDigest: false)
        } + (programs.map { [AuditMember(name: "programs", value: $0.joined(separator: " "), isDigest: false)] } ?? [])
    }

    /// The trails that tell of it: its programs', or that of all programs.
    var trails: [String] { programs ?? [AuditHead.allPrograms] }
}

/// Every API key of a store, as it was at one moment.
public struct StoredAPIKeys: Sendable, Equatable {
    /// Another number than before whenever a key was added or revoked.
    public let generation: Int64
    /// The keys, the oldest first, those too that were revoked.
    public let keys: [StoredAPIKey]

    /// Those that may be used.
    public var inForce: [StoredAPIKey] { keys.filter { $0.revokedAt == nil } }

    /// Makes one of its members.
    public init(generation: Int64, keys: [StoredAPIKey]) {
        self.generation = generation
        self.keys = keys
    }
}
