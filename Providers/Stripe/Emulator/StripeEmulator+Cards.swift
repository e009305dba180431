import ProviderKit
import Sandbox

extension StripeEmulator {
    /// Answers `GET /v1/issuing/cards/{id}`.
    func readCard(_ id: String, _ state: inout StripeState) throws(StripeError) -> EmulatedResponse {
        if MagicCard.named(id) == .forbidden { throw .forbidden }
        guard let card = state.card(id, at: clock.now) else {
            throw .noSuch("issuing card", status: 404, param: "card")
        }
        var json = JSONWriter(capacity: 2048)
        card.write(into: &json)
        return .json(200, json.finish())
    }
}
