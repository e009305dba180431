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

extension StoredBinding {
    /// What an event tells of the binding.
    ///
    /// - Parameters:
    ///   - former: The binding before; nil where the card had none at the connection.
    ///   - provider: The provider's id, where the connection is still known.
    func eventMembers(from former: StoredBinding?, provider: String?) -> [StoredEvent.Member] {
        let change =
            former.map { $0.card.providerCardID == card.providerCardID ? "changed" : "replaced" } ?? "added"
        return [
            .init("object", "binding"), .init("provider", provider), .init("connection", card.connection),
            .init("change", change), .init("state", state.rawValue), .init("previous_state", former?.state.rawValue),
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
