public import Crypto
import Provisioning
import SecretMemory

/// Links each entry of the audit trail to the one before it with a keyed digest.
///
/// A digest begins with its key's id: the trail goes on when a root secret is replaced, and what the former one made is
/// verified for as long as it is among the keys.
public struct AuditChain: Sendable {
    /// A key of the chain.
    private struct Key: Sendable {
        let id: [UInt8]
        let authenticate: @Sendable ([UInt8]) -> [UInt8]
    }

    /// Whether an entry is what was written after the one before it.
    enum Standing {
        /// It is.
        case follows
        /// It is not.
        case differs
        /// It was made with a key that is not here.
        case unknownKey
    }

    private let keys: [Key]

    /// Makes a chain that is keyed by the root secrets.
    public init(_ keys: KeyRing) {
        self.keys = keys.digesters(purpose: "audit").map { digester in
            Key(id: digester.keyID) { digester.digest(SecretBytes($0)) }
        }
    }

    /// Makes a chain that is keyed by `authenticate` alone, whose digests begin with `id`.
    public init(id: [UInt8] = [], authenticate: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        keys = [Key(id: id, authenticate: authenticate)]
    }

    /// What stands before the first entry of every trail.
    static let origin = [UInt8](repeating: 0, count: 32)

    /// The entry with the digest that it must have after `previous`.
    func link(_ entry: StoredAuditEntry, after previous: [UInt8]) -> StoredAuditEntry {
        entry.with(digest: digest(of: entry, at: entry.sequence, after: previous, keys[0]))
    }

    /// Whether the entry is what was written after `previous`.
    ///
    /// - Parameter sequence: Where it is supposed to have been written; nil for where it stands.
    func standing(of entry: StoredAuditEntry, at sequence: Int64? = nil, after previous: [UInt8]) -> Standing {
        guard let key = keys.first(where: { entry.digest.starts(with: $0.id) }) else { return .unknownKey }
        let expected = digest(of: entry, at: sequence ?? entry.sequence, after: previous, key)
        return expected == entry.digest ? .follows : .differs
    }

    /// A personal member: equal values of one program can be recognised, and nothing else.
    func personal(_ name: String, _ value: String, program: String) -> AuditMember {
        var writer = PackedWriter()
        writer.append("passgate audit member 1")
        writer.append(program)
        writer.append(name)
        writer.append(value)
        let digest = Base64.encode(digest(of: writer.bytes, keys[0]), alphabet: .urlSafe, padded: false)
        return AuditMember(name: name, value: digest, isDigest: true)
    }

    /// The members that differ between two states of something, as they were and as they are.
    func difference(_ before: [AuditMember], _ after: [AuditMember]) -> (before: [AuditMember], after: [AuditMember]) {
        (before.filter { !after.contains($0) }, after.filter { !before.contains($0) })
    }

    private func digest(
        of entry: StoredAuditEntry, at sequence: Int64, after previous: [UInt8], _ key: Key
    ) -> [UInt8] {
        var writer = PackedWriter()
        writer.append("passgate audit entry 1")
        writer.append(previous)
        writer.append(entry.program)
        writer.append(sequence)
        writer.append(entry.at)
        writer.append(entry.actor)
        writer.append(entry.action)
        writer.append(entry.subject)
        writer.append(entry.before.packed)
        writer.append(entry.after.packed)
        return digest(of: writer.bytes, key)
    }

    private func digest(of bytes: [UInt8], _ key: Key) -> [UInt8] { key.id + key.authenticate(bytes) }
}
