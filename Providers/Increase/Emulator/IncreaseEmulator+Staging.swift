public import ProviderConformance
public import Sandbox

extension IncreaseEmulator {
    /// By a card's id where the call itself is to be seen, else in Increase's words.
    public func staging(of situation: Situation, for operation: Operation) -> Staging? {
        switch situation {
        case .cardExists: Staging(demoCard)
        case .enumValuesUnheardOf: Staging(card(MagicCard.unheardof.id))
        case .cardMissing: Staging(card("sandbox_card_nobody"))
        case .cardIneligible: Staging(card(MagicCard.canceled.id))
        case .credentialsRejected:
            Staging(demoCard, settings: [("api_key", "\"sandbox_key_that_nobody_knows\"")])
        case .permissionDenied: Staging(card(MagicCard.noaccess.id))
        case .notEnabled: Staging(demoCard, answering: IncreaseError.privateFeature.response)
        case .handshakeRejected: handshakeRejected(operation)
        case .rateLimited: Staging(demoCard, answering: IncreaseError.rateLimited.response)
        case .refusalUnheardOf: Staging(demoCard, answering: unheardOf(422).response)
        case .failureUnheardOf: Staging(demoCard, answering: unheardOf(500).response)
        default: nil
        }
    }

    private func card(_ id: String) -> EmulatedCard {
        EmulatedCard(id: id, last4: demoCard.last4, network: demoCard.network)
    }

    private func handshakeRejected(_ operation: Operation) -> Staging? {
        guard case .provision = operation else { return nil }
        var reader = StrictReader()
        reader.refuse("\(operation.group).nonce", "was used before")
        return Staging(demoCard, answering: IncreaseError.invalidParameters(reader.problems).response)
    }

    private func unheardOf(_ status: Int) -> IncreaseError {
        IncreaseError(
            status: status, type: "unheard_of_error", title: "Nobody has heard of this.",
            detail: "It is in no documentation.")
    }
}
