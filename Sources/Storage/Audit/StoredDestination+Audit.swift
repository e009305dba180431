import Provisioning

extension AuditChain {
    /// What the trail keeps of a destination: its URL, which may hold a secret, as a keyed digest; of its secrets nothing.
    func members(of destination: StoredDestination) -> [AuditMember] {
        [
            personal("url", destination.url, program: destination.program),
            AuditMember(name: "status", value: destination.status.rawValue, isDigest: false),
        ]
    }
}
