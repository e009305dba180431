import ProviderKit
import Provisioning
import Storage

/// Who serves an attempt, and how.
struct Route: Sendable {
    let connection: Connection
    let binding: CardBinding
    let support: WalletSupport
    /// Why it is not the side that routing gives; nil where it is.
    let detour: Detour?
}

extension Gateway {
    /// Decides who serves the attempt, and refuses what that side cannot do.
    ///
    /// A repeat goes where the first attempt went; then a plan counts, then the card's routing. Where the app cannot do with
    /// that side's handoff, the other side of a migration serves.
    ///
    /// - Parameter first: The attempt that the request repeats, where it may have had an effect.
    func route(
        _ command: ProvisionCommand, card: StoredCard, program: Program, repeating first: StoredProvisioning?
    ) throws(Problem) -> Route {
        try checkAuthentication(of: command.cardholder, program: program)
        let plan = try openPlan(command)
        let repeated = first.flatMap { card.binding(at: $0.connection, withID: $0.providerCardID) }
        let pinned = repeated == nil ? try binding(pinnedBy: plan, of: card) : nil
        guard let wanted = repeated ?? pinned ?? card.servingBinding else {
            throw Problem(.bindingMissing, outcome: .notSent)
        }
        guard let side = side(of: wanted.card) else {
            throw Problem(unconfigured: wanted.card.connection, outcome: .notSent)
        }
        let support = try support(of: side, for: command)
        guard let accept = command.accept, !accept.contains(support.handoff) else {
            let reason: Detour.Reason = repeated != nil ? .repeat : lacks(accept: command, card) ? .accept : .plan
            return Route(side, support, detour(of: card, to: side, because: reason, under: plan?.migration))
        }
        let others = [card.servingBinding, card.otherBinding].compactMap(\.self).filter { $0.card != wanted.card }
        for other in others.compactMap({ self.side(of: $0.card) }) {
            guard let support = other.support(for: command), accept.contains(support.handoff) else { continue }
            return Route(other, support, detour(of: card, to: other, because: .accept, under: card.migration?.id))
        }
        throw Problem(
            .handoffUnsupportedByApp,
            detail: "The card needs \(support.handoff.rawValue), which the app build does not list.",
            outcome: .notSent)
    }

    /// The binding that a plan pins; nil without a plan.
    private func binding(pinnedBy plan: Plan?, of card: StoredCard) throws(Problem) -> StoredBinding? {
        guard let plan else { return nil }
        guard let binding = card.binding(at: plan.connection, withID: plan.providerCardID),
            CardRouting.honours(binding, under: plan.migration, card.bindings, in: card.migration)
        else { throw Problem(.planExpired, outcome: .notSent) }
        return binding
    }

    private func support(of side: Side, for command: ProvisionCommand) throws(Problem) -> WalletSupport {
        if let support = side.support(for: command) { return support }
        let isServed = !side.connection.support(for: command.wallet).isEmpty
        throw Problem(isServed ? .channelUnsupported : .walletUnsupported, outcome: .notSent)
    }

    /// Whether the app does not list the handoff of the side that routing gives.
    private func lacks(accept command: ProvisionCommand, _ card: StoredCard) -> Bool {
        guard let accept = command.accept, let routed = serving(card), let support = routed.support(for: command) else {
            return false
        }
        return !accept.contains(support.handoff)
    }

    /// Nil where the side is the one that routing gives.
    private func detour(of card: StoredCard, to side: Side, because reason: Detour.Reason, under migration: String?)
        -> Detour?
    {
        let routed = card.servingBinding?.card
        if side.binding == routed { return nil }
        return Detour(reason: reason, routed: routed?.connection, migration: migration)
    }

    /// An authentication must be there where the program requires the cardholder, and must be young enough wherever it is
    /// there.
    private func checkAuthentication(of cardholder: ProvisionCommand.Cardholder?, program: Program) throws(Problem) {
        guard let limit = program.maxAuthenticationAge else { return }
        guard let authenticatedAt = cardholder?.authenticatedAt else {
            if program.requiresCardholder { throw Problem(.authenticationRequired, outcome: .notSent) }
            return
        }
        let age = clock.now.milliseconds - authenticatedAt.milliseconds
        // A minute ahead is a clock that runs fast; more is not a time of authentication.
        if age > Int64(limit) * 1000 || age < -60_000 { throw Problem(.authenticationRequired, outcome: .notSent) }
    }

    private func openPlan(_ command: ProvisionCommand) throws(Problem) -> Plan? {
        guard let text = command.plan else { return nil }
        guard let plan = Plan(opening: text, with: keys), plan.card == command.card, plan.wallet == command.wallet
        else {
            throw .member("/plan", "is not a plan that this gateway gave for this card and wallet")
        }
        if clock.now.milliseconds - plan.issuedAt.milliseconds > Plan.lifetimeMilliseconds {
            throw Problem(.planExpired, outcome: .notSent)
        }
        return plan
    }
}

extension Route {
    fileprivate init(_ side: Side, _ support: WalletSupport, _ detour: Detour?) {
        self.init(connection: side.connection, binding: side.binding, support: support, detour: detour)
    }
}

extension Side {
    fileprivate func support(for command: ProvisionCommand) -> WalletSupport? {
        connection.support(for: command.wallet).first { $0.channel == command.channel }
    }
}

extension StoredCard {
    /// The binding at a connection, if it has that id there.
    fileprivate func binding(at connection: String, withID id: String) -> StoredBinding? {
        bindings.first { $0.card.connection == connection && $0.card.providerCardID == id }
    }
}

extension Detour {
    /// What a timeline says of it.
    func explanation(connection: String) -> String {
        switch reason {
        case .plan: "A plan that was made before pins \(connection)."
        case .accept: "The app build does not list the handoff of the routed side, so \(connection) serves."
        case .repeat: "The first request went to \(connection)."
        }
    }
}
