public import Provisioning

/// One change, as the append-only trail keeps it.
public struct StoredAuditEntry: Sendable, Equatable {
    /// The program that the trail belongs to.
    public let program: String
    /// Its place in the program's trail, from 1 without a gap.
    public let sequence: Int64
    /// When.
    public let at: Timestamp
    /// Who: the name of the API key, or of the command.
    public let actor: String
    /// What was done, such as `card.updated`.
    public let action: String
    /// What it was done to, such as a card's id.
    public let subject: String
    /// The members that were changed or removed, as they had been.
    public let before: [AuditMember]
    /// The members that were changed or added, as they are.
    public let after: [AuditMember]
    /// The keyed digest over the entry and the one before it.
    public let digest: [UInt8]

    /// Makes an entry of its members.
    public init(
        program: String, sequence: Int64, at: Timestamp, actor: String, action: String, subject: String,
        before: [AuditMember], after: [AuditMember], digest: [UInt8]
    ) {
        self.program = program
        self.sequence = sequence
        self.at = at
        self.actor = actor
        self.action = action
        self.subject = subject
        self.before = before
        self.after = after
        self.digest = digest
    }

    /// The same entry with another digest.
    func with(digest: [UInt8]) -> StoredAuditEntry {
        StoredAuditEntry(
            program: program, sequence: sequence, at: at, actor: actor, action: action, subject: subject,
            before: before, after: after, digest: digest)
    }
}
