import Provisioning
import SecretMemory

/// Links each entry of the audit trail to the one before it with a keyed digest.
public struct AuditChain: Sendable {
    private let authenticate: @Sendable ([UInt8]) -> [UInt8]

    /// Makes a chain that is keyed by `authenticate`: HMAC-SHA-256 with a subkey that nothing else uses.
    public init(authenticate: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.authenticate = authenticate }

    /// What stands before the first entry of every trail.
    static let origin = [UInt8](repeating: 0, count: 32)

    /// The entry with the digest that it must have after `previous`.
    func link(_ entry: StoredAuditEntry, after previous: [UInt8]) -> StoredAuditEntry {
        var writer = PackedWriter()
        writer.append("passgate audit entry 1")
        writer.append(previous)
        writer.append(entry.program)
        writer.append(entry.sequence)
        writer.append(entry.at)
        writer.append(entry.actor)
        writer.append(entry.action)
        writer.append(entry.subject)
        writer.append(entry.before.packed)
        writer.append(entry.after.packed)
        return StoredAuditEntry(
            program: entry.program, sequence: entry.sequence, at: entry.at, actor: entry.actor, action: entry.action,
            subject: entry.subject, before: entry.before, after: entry.after, digest: authenticate(writer.bytes))
    }

    /// A personal member: equal values of one program can be recognised, and nothing else.
    func personal(_ name: String, _ value: String, program: String) -> AuditMember {
        var writer = PackedWriter()
        writer.append("passgate audit member 1")
        writer.append(program)
        writer.append(name)
        writer.append(value)
        let digest = Base64.encode(authenticate(writer.bytes), alphabet: .urlSafe, padded: false)
        return AuditMember(name: name, value: digest, isDigest: true)
    }

    /// The sequence of the first entry that does not follow from the one before it; nil where all do.
    ///
    /// - Parameters:
    ///   - entries: Entries of one trail, the oldest first, without a gap.
    ///   - previous: The entry before the first one; nil where the trail begins here.
    public func firstBreak(in entries: [StoredAuditEntry], after previous: StoredAuditEntry? = nil) -> Int64? {
        var digest = previous?.digest ?? Self.origin
        var sequence = previous?.sequence ?? 0
        for entry in entries {
            sequence += 1
            guard entry.sequence == sequence, link(entry, after: digest).digest == entry.digest else {
                return sequence
            }
            digest = entry.digest
        }
        return nil
    }
}
