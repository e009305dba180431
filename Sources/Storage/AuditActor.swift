/// Who changes something, for the audit trail.
public struct AuditActor: Sendable, Equatable {
    /// The name of the API key, or of the command.
    public let name: String

    /// The gateway itself.
    static let gateway = AuditActor(name: "passgate")

    /// Makes an actor of a name.
    public init(name: String) { self.name = name }
}
