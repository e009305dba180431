public import ProviderConformance
public import Sandbox

extension StripeEmulator {
    /// By a card's id where the call itself is to be seen, else in Stripe's words. It has none for wallets that are not
    /// enabled, and the handshake is its SDK's business.
    public func staging(of situation: Situation, for operation: Operation) -> Staging? {
        switch situation {
        case .cardExists: Staging(demoCard)
        case .enumValuesUnheardOf: Staging(card(MagicCard.unheardof.id))
        case .cardMissing: Staging(card("ic_nobody"))
        case .cardIneligible: Staging(card(MagicCard.missingagreement.id))
        case .credentialsRejected: Staging(demoCard, settings: [("secret_key", "\"sk_test_that_nobody_knows\"")])
        case .permissionDenied: Staging(card(MagicCard.forbidden.id))
        case .rateLimited: Staging(demoCard, answering: StripeError.rateLimited.response)
        case .refusalUnheardOf: Staging(demoCard, answering: unheardOf(422).response)
        case .failureUnheardOf: Staging(demoCard, answering: unheardOf(500).response)
        default: nil
        }
    }

    private func card(_ id: String) -> EmulatedCard {
        EmulatedCard(id: id, last4: demoCard.last4, network: demoCard.network)
    }

    private func unheardOf(_ status: Int) -> StripeError {
        StripeError(status: status, type: "unheard_of_error", message: "Nobody has ever heard of this.")
    }
}
