import Provisioning

extension StoredProvisioning {
    /// What an event tells of the attempt.
    func eventMembers(from former: ProvisioningStatus) -> [StoredEvent.Member] {
        [
            .init("object", "provisioning"), .init("id", id), .init("provider", provider),
            .init("connection", connection), .init("wallet", wallet.rawValue), .init("channel", channel.rawValue),
            .init("status", status.rawValue), .init("previous_status", former.rawValue),
            .init("settled_by", settlement?.source.rawValue), .init("code", failure?.code.rawValue),
        ]
    }
}

extension StoredToken {
    /// What an event tells of the token.
    ///
    /// - Parameter former: Its state before; nil where it was not known before.
    func eventMembers(from former: TokenStatus?) -> [StoredEvent.Member] {
        [
            .init("object", "token"), .init("id", id), .init("provider", provider), .init("connection", connection),
            .init("wallet", sighting.wallet?.rawValue), .init("status", sighting.status.rawValue),
            .init("previous_status", former?.rawValue), .init("provider_status", sighting.rawStatus),
            .init("provisioning", provisioning), .init("observed_at", observedAt.rfc3339),
        ]
    }
}
