import ProviderKit
import Sandbox

extension StripeEmulator {
    /// Answers `GET /v1/issuing/cards`: one page, which takes nothing but its limit.
    func listCards(_ request: EmulatedRequest, _ state: StripeState) throws(StripeError) -> EmulatedResponse {
        let limit = try FormReader(request.parameters, known: ["limit"]).integer("limit", in: 1...100) ?? 10
        let cards = state.cards.values.sorted { $0.id > $1.id }
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.member("object", "list")
            json.member("data", array: { json in for card in cards.prefix(limit) { card.write(into: &json) } })
            json.member("has_more", cards.count > limit)
            json.member("url", "/v1/issuing/cards")
        }
        return .json(200, json.finish())
    }

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
