import Crypto
import ProviderKit
public import Provisioning
public import Storage

extension Gateway {
    /// How long the processors may take over one card's wallets.
    static let walletPatience: Duration = .seconds(5)
    /// How long they may take over all cards of a cardholder: a wallet extension does not wait longer.
    static let extensionPatience: Duration = .seconds(3)
    /// How many cards of a cardholder are answered for.
    static let extensionCardLimit = 100

    /// Whether the card can be added to each wallet of its program, or to one.
    ///
    /// A processor that gives no answer makes `eligible` nil; it is no failure of the request.
    public func wallets(of card: CardKey, accept: [HandoffType]?, wallet: Wallet?) async throws(Problem)
        -> [WalletEligibility]
    {
        guard let program = directory.programs[card.program] else { throw Problem(.programNotFound) }
        let card = try await self.card(card)
        _ = try servingSide(of: card)
        return await answers(
            for: [card], of: program, wallet: wallet, accept: accept, deadline: .now + Self.walletPatience)
    }

    /// The same for all cards of a cardholder. A card that nothing serves is left out.
    public func wallets(ofCardholder id: String, program: String, wallet: Wallet?) async throws(Problem)
        -> [WalletEligibility]
    {
        guard let program = directory.programs[program] else { throw Problem(.programNotFound) }
        let deadline = ContinuousClock.now + Self.extensionPatience
        let page = try await cards(
            CardQuery(
                program: program.name, cardholderID: id, page: PageRequest(limit: Self.extensionCardLimit)))
        return await answers(
            for: page.elements, of: program, wallet: wallet, accept: nil, deadline: deadline)
    }

    private func answers(
        for cards: [StoredCard], of program: Program, wallet: Wallet?, accept: [HandoffType]?,
        deadline: ContinuousClock.Instant
    ) async -> [WalletEligibility] {
        let wanted = program.wallets.filter { wallet == nil || $0 == wallet }
        return await withTaskGroup(of: (Int, WalletEligibility?).self) { group in
            for (index, (card, wallet)) in cards.flatMap({ card in wanted.map { (card, $0) } }).enumerated() {
                group.addTask { [self] in
                    let answer = await answer(
                        for: card, wallet: wallet, program: program, accept: accept, deadline: deadline)
                    return (index, answer)
                }
            }
            var answers: [(Int, WalletEligibility?)] = []
            for await answer in group { answers.append(answer) }
            return answers.sorted { $0.0 < $1.0 }.compactMap(\.1)
        }
    }

    private func answer(
        for card: StoredCard, wallet: Wallet, program: Program, accept: [HandoffType]?,
        deadline: ContinuousClock.Instant
    ) async -> WalletEligibility? {
        guard let side = side(of: card, for: wallet, accept: accept) else { return nil }
        let (binding, connection) = (side.binding, side.connection)
        let rows = connection.support(for: wallet)
        var answer = WalletEligibility(
            card: card.key, wallet: wallet, provider: connection.descriptor.id, connection: connection.name,
            eligibility: Self.unserved, channels: rows.map(\.channel), handoff: nil, plan: nil,
            applePayConfiguration: nil,
            title: card.title, artURL: card.artURL, problem: nil)
        guard let row = rows.first else { return answer }
        if let accept, !accept.contains(row.handoff) {
            answer.eligibility.reason = ProblemCode.handoffUnsupportedByApp.rawValue
            return answer
        }
        answer.handoff = row.handoff
        (answer.eligibility, answer.problem) = await opinion(
            of: binding, wallet: wallet, at: connection, deadline: deadline)
        shadow(card, wallet: wallet, answered: answer.eligibility, handoff: row.handoff)
        if answer.eligibility.eligible != false {
            let plan = Plan(
                card: card.key, wallet: wallet, connection: connection.name, providerCardID: binding.providerCardID,
                handoff: row.handoff, migration: card.migration?.id, issuedAt: clock.now)
            do throws(CryptographyFailure) {
                answer.plan = try plan.sealed(with: keys)
            } catch {
                // Without a plan the attempt is served as cards are served then; a problem upstream says more.
                answer.problem = answer.problem ?? Problem(.internalError, detail: "The plan could not be sealed.")
            }
        }
        if wallet == .applePay {
            answer.applePayConfiguration = ApplePayConfiguration(
                cardholderName: card.cardholderName, primaryAccountSuffix: binding.last4,
                localizedDescription: card.title ?? program.displayName,
                paymentNetwork: binding.network.description,
                primaryAccountIdentifier: answer.eligibility.primaryAccountIdentifier)
        }
        return answer
    }

    /// What is said of a wallet that the connection does not serve.
    static let unserved = Eligibility(eligible: false, reason: ProblemCode.walletUnsupported.rawValue)

    /// What the processor says of the wallet. Where it gives no answer, the problem says why.
    func opinion(
        of binding: CardBinding, wallet: Wallet, at connection: Connection, deadline: ContinuousClock.Instant
    ) async -> (eligibility: Eligibility, problem: Problem?) {
        if connection.support(for: wallet).isEmpty { return (Self.unserved, nil) }
        do throws(Problem) {
            var eligibility = try await eligibility(of: binding, wallet: wallet, at: connection, deadline: deadline)
            // PassKit takes an empty identifier for one: then it finds no pass, and the card cannot be added.
            if eligibility.primaryAccountIdentifier?.isEmpty == true { eligibility.primaryAccountIdentifier = nil }
            return (eligibility, nil)
        } catch {
            return (Eligibility(eligible: nil, reason: error.code.rawValue), error)
        }
    }

    /// Asks the processor, within the connection's limits, and behind its provisionings.
    private func eligibility(
        of binding: CardBinding, wallet: Wallet, at connection: Connection, deadline: ContinuousClock.Instant
    ) async throws(Problem) -> Eligibility {
        let pass = try enter(connection, isRead: true)
        do throws(ProvisioningError) {
            let eligibility = try await measured(connection) { () throws(ProvisioningError) in
                try await connection.provider.eligibility(of: binding, wallet: wallet, deadline: deadline)
            }
            try checkOwnership(of: binding, by: eligibility, at: connection)
            pass.leave(nil, at: .now)
            return eligibility
        } catch {
            leave(pass, after: error, hasLoweredDeadline: false)
            throw Problem(provider: error, at: connection, repeatable: true, record: nil)
        }
    }

    /// A card that has changed hands at the processor is nobody's here.
    func checkOwnership(of binding: CardBinding, by eligibility: Eligibility, at connection: Connection)
        throws(ProvisioningError)
    {
        guard connection.provider is any CardOwnership else { return }
        guard let cardholderID = eligibility.providerCardholderID, cardholderID == binding.providerCardholderID else {
            throw ProvisioningError(.providerCardNotFound, outcome: .refused)
        }
    }
}
