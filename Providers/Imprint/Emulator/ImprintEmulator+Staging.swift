public import ProviderConformance
import ProviderKit
public import Sandbox

extension ImprintEmulator {
    /// By a payment method's id where the call itself is to be seen, else in Imprint's words.
    public func staging(of situation: Situation, for operation: Operation) -> Staging? {
        switch (situation, operation) {
        case (.cardExists, _): Staging(demoCard)
        case (.enumValuesUnheardOf, _): Staging(card(.dormant))
        case (.cardMissing, _): Staging(card("0CA4DFFF"))
        case (.cardIneligible, _): Staging(card(.canceled))
        case (.credentialsRejected, _): Staging(demoCard, settings: [("api_key", "\"a_key_that_nobody_knows\"")])
        case (.permissionDenied, .provision): Staging(card(.noAccess))
        case (.permissionDenied, _): Staging(demoCard, answering: response(.permissionDenied))
        case (.handshakeRejected, .provision): Staging(card(.staleNonce))
        case (.alreadyProvisioned, .provision): Staging(card(.alreadyThere))
        case (.deviceIneligible, .provision): Staging(card(.deviceIneligible))
        case (.rateLimited, _): Staging(demoCard, answering: response(.rateLimited("/v2/payment_methods")))
        case (.refusalUnheardOf, _): Staging(demoCard, answering: response(unheardOf(422)))
        case (.failureUnheardOf, _): Staging(demoCard, answering: response(unheardOf(500)))
        default: nil
        }
    }

    private func card(_ magic: MagicPaymentMethod) -> EmulatedCard { card(magic.rawValue) }

    private func card(_ group: String) -> EmulatedCard {
        EmulatedCard(id: "\(group)-0000-4000-8000-000000000001", last4: demoCard.last4, network: demoCard.network)
    }

    private func response(_ error: ImprintError) -> EmulatedResponse { error.response(at: clock.now) }

    private func unheardOf(_ status: Int) -> ImprintError {
        .provisioning(status: status, code: "unheard_of", message: "Nobody has heard of this.")
    }
}
