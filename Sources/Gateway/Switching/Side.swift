import Provisioning
import Storage

/// One side that can serve a card: a connection, and the card's binding there.
struct Side: Sendable {
    let connection: Connection
    let binding: CardBinding
}

extension Gateway {
    /// The side that serves the card's next attempt; nil where none does, or its connection is not configured.
    func serving(_ card: StoredCard) -> Side? { card.servingBinding.flatMap { side(of: $0.card) } }

    /// The side that serves the card's next attempt.
    ///
    /// - Throws: `binding_missing` where none does, or its connection is not configured.
    func servingSide(of card: StoredCard) throws(Problem) -> Side {
        guard let binding = card.servingBinding else { throw Problem(.bindingMissing) }
        guard let side = side(of: binding.card) else { throw Problem(unconfigured: binding.card.connection) }
        return side
    }

    /// The side that a binding is at; nil where its connection is not configured.
    func side(of binding: CardBinding) -> Side? {
        directory.connections[binding.connection].map { Side(connection: $0, binding: binding) }
    }

    /// The side that would serve an attempt in a wallet, by an app build that knows these handoffs: where it cannot do with
    /// the routed side's, the other side of a migration, if it can do with that one's.
    func side(of card: StoredCard, for wallet: Wallet, accept: [HandoffType]?) -> Side? {
        guard let serving = serving(card) else { return nil }
        guard let accept, let handoff = serving.connection.support(for: wallet).first?.handoff,
            !accept.contains(handoff), let other = card.otherBinding.flatMap({ side(of: $0.card) }),
            let otherHandoff = other.connection.support(for: wallet).first?.handoff, accept.contains(otherHandoff)
        else { return serving }
        return other
    }
}

extension Problem {
    /// That the card is at a connection that the configuration does not have.
    init(unconfigured connection: String, outcome: ProvisioningOutcome? = nil) {
        self.init(
            .bindingMissing,
            detail: "The card is served by the connection `\(connection)`, which the gateway's configuration does not "
                + "have.", outcome: outcome)
    }
}
