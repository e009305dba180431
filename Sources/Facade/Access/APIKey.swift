/// An API key as the gateway knows it: by its digest, never by its text.
public struct APIKey: Sendable, Equatable {
    /// Its name, for the audit trail and the log.
    public let name: String
    /// SHA-256 of the whole text, `pgk_` included.
    public let digest: [UInt8]
    /// What it allows.
    public let scopes: Set<Scope>
    /// The programs that it is confined to; nil for all.
    public let programs: Set<String>?

    /// Makes a key of its members.
    public init(name: String, digest: [UInt8], scopes: Set<Scope>, programs: Set<String>?) {
        self.name = name
        self.digest = digest
        self.scopes = scopes
        self.programs = programs
    }
}
