import ProviderKit
import Provisioning
import Storage

/// What came of asking for a card's tokens.
enum TokenAnswer: Sendable {
    /// The processor said which there are.
    case tokens(TokenReport)
    /// It gave no answer.
    case failure(ProvisioningError)
    /// Other calls came first.
    case postponed
    /// The gateway is shutting down.
    case cancelled
    /// There is nobody to ask: the connection or the card is gone, or its provider tells nothing.
    case nobody
}

extension Gateway {
    /// How long a processor may take to list a card's tokens.
    private static let tokenPatience: Duration = .seconds(5)

    /// Asks the processor for the tokens that attempts of one card may have led to, behind all calls that cannot wait.
    func askForTokens(of attempts: [StoredProvisioning], at connection: Connection?) async throws(StoreFailure)
        -> TokenAnswer
    {
        guard let connection, let provider = connection.provider as? any OutcomeProbe,
            let card = try await card(of: attempts[0]), let first = attempts.map({ $0.sentAt ?? $0.createdAt }).min()
        else { return .nobody }
        if Task.isCancelled { return .cancelled }
        let gate = traffic.gate(of: connection.name)
        do throws(ConnectionGuard.Refusal) {
            try gate.enterBackground(limit: connection.inFlight, ratePerSecond: connection.ratePerSecond, at: .now)
        } catch {
            return .postponed
        }
        defer { gate.leaveBackground() }
        let asked = clock.now
        do throws(ProvisioningError) {
            // The processor's clock may show whole seconds only.
            let from = Timestamp(seconds: first.seconds)
            let tokens = try await measured(connection) { () throws(ProvisioningError) in
                try await provider.tokens(of: card, createdFrom: from, deadline: .now + Self.tokenPatience)
            }
            return .tokens(
                TokenReport(
                    card: attempts[0].card, provider: connection.descriptor.id, connection: connection.name,
                    providerCardID: card.providerCardID,
                    source: .probe, tokens: tokens, observedAt: asked, receivedAt: clock.now))
        } catch {
            return Task.isCancelled ? .cancelled : .failure(error)
        }
    }

    /// The card at the processor as the attempt met it, whatever became of the binding since; nil where it was erased.
    private func card(of attempt: StoredProvisioning) async throws(StoreFailure) -> CardBinding? {
        guard !attempt.providerCardID.isEmpty,
            var binding = try await store.card(attempt.card)?.bindings.first(where: {
                $0.card.connection == attempt.connection
            })?.card
        else { return nil }
        binding.providerCardID = attempt.providerCardID
        return binding
    }
}
