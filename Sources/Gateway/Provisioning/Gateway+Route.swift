import ProviderKit
import Provisioning
import Storage

/// Who serves an attempt, and how.
struct Route: Sendable {
    let connection: Connection
    let binding: CardBinding
    let support: WalletSupport
}

extension Gateway {
    /// Decides who serves the attempt, and refuses what that side cannot do.
    func route(_ command: ProvisionCommand, card: StoredCard, program: Program) throws(Problem) -> Route {
        try checkAuthentication(of: command.cardholder, program: program)
        let plan = try openPlan(command)
        guard let binding = card.activeBinding?.card, let connection = directory.connections[binding.connection] else {
            throw Problem(.bindingMissing, outcome: .notSent)
        }
        if let plan, plan.connection != binding.connection || plan.providerCardID != binding.providerCardID {
            throw Problem(.planExpired, outcome: .notSent)
        }
        let served = connection.support(for: command.wallet)
        guard let support = served.first(where: { $0.channel == command.channel }) else {
            throw Problem(served.isEmpty ? .walletUnsupported : .channelUnsupported, outcome: .notSent)
        }
        if let accept = command.accept, !accept.contains(support.handoff) {
            throw Problem(
                .handoffUnsupportedByApp,
                detail: "The card needs \(support.handoff.rawValue), which the app build does not list.",
                outcome: .notSent)
        }
        return Route(connection: connection, binding: binding, support: support)
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
