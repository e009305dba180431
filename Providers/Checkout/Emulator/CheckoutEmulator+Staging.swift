public import ProviderConformance
public import Sandbox

extension CheckoutEmulator {
    /// By a card's id where the call itself is to be seen, else in Checkout.com's words.
    public func staging(of situation: Situation, for operation: Operation) -> Staging? {
        switch situation {
        case .cardExists: Staging(demoCard)
        case .enumValuesUnheardOf: Staging(card(.unheardof))
        case .cardMissing:
            Staging(
                EmulatedCard(
                    id: CheckoutState.id("crd", "nobody"), cardholderID: demoCard.cardholderID, last4: demoCard.last4,
                    network: demoCard.network))
        case .cardIneligible: Staging(card(.suspended))
        case .credentialsRejected: Staging(demoCard, settings: [("client_secret", "\"a_secret_that_nobody_knows\"")])
        case .permissionDenied: Staging(card(.noaccess))
        case .rateLimited: Staging(demoCard, answering: CheckoutError.rateLimited.response)
        case .refusalUnheardOf: Staging(demoCard, answering: unheardOf(422).response)
        case .failureUnheardOf: Staging(demoCard, answering: unheardOf(500).response)
        default: nil
        }
    }

    /// The adapter signs by itself; a card is read with an access token.
    public func exchanges(for operation: Operation) -> Int {
        switch operation {
        case .provision: 0
        case .eligibility: 2
        }
    }

    private func unheardOf(_ status: Int) -> CheckoutError {
        CheckoutError(status: status, type: "unheard_of", codes: ["nobody_has_heard_of_this"])
    }
}
