/// A member of something that was changed, as the audit trail keeps it.
public struct AuditMember: Sendable, Equatable {
    /// The member's name, such as `cardholder_name` or `binding/increase_main/state`.
    public let name: String
    /// The value; of a personal member, a keyed digest in base64url.
    public let value: String
    /// Whether the value is a digest.
    public let isDigest: Bool

    /// Makes a member of its members.
    public init(name: String, value: String, isDigest: Bool) {
        self.name = name
        self.value = value
        self.isDigest = isDigest
    }
}

extension [AuditMember] {
    var packed: [UInt8] {
        var writer = PackedWriter()
        writer.append(self) { writer, member in
            writer.append(member.name)
            writer.append(member.value)
            writer.append(member.isDigest ? 1 : 0)
        }
        return writer.bytes
    }

    /// What stands for members that cannot be read. No entry is written with it, so an entry that has it never follows
    /// from the one before it.
    static let illegible = [AuditMember(name: "", value: "", isDigest: false)]

    /// The members of an entry as it is found, whatever was done to it.
    init(found bytes: [UInt8]) { self = (try? [AuditMember](packed: bytes)) ?? Self.illegible }

    init(packed bytes: [UInt8]) throws(StoreFailure) {
        var reader = PackedReader(bytes)
        self = try reader.elements { reader throws(StoreFailure) in
            AuditMember(name: try reader.text(), value: try reader.text(), isDigest: try reader.number() == 1)
        }
    }
}
