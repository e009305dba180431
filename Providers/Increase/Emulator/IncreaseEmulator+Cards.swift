import ProviderKit
import Provisioning
import Sandbox
import SecretMemory

extension IncreaseEmulator {
    /// Answers `GET /cards/{id}`.
    func readCard(_ id: String, _ state: inout IncreaseState) -> EmulatedResponse {
        if let refusal = refusal(ofCard: id) { return refusal.response }
        guard let card = state.card(id, at: clock.now) else { return IncreaseError.notFound("card").response }
        return answer(card)
    }

    /// Answers `GET /cards`: one page, which takes nothing but its limit.
    func listCards(_ request: EmulatedRequest, _ state: IncreaseState) -> EmulatedResponse {
        var reader = StrictReader()
        var limit = 100
        for (name, value) in request.parameters ?? [] {
            guard name == "limit", let number = Int(value), (1...100).contains(number) else {
                reader.refuse(name, "is not a known parameter, or has no such value")
                continue
            }
            limit = number
        }
        guard reader.problems.isEmpty else { return IncreaseError.invalidParameters(reader.problems).response }
        let cards = state.cards.values.sorted { $0.id > $1.id }
        var json = JSONWriter()
        json.object { json in
            json.member("data", array: { json in for card in cards.prefix(limit) { card.write(into: &json) } })
            json.member("next_cursor", cards.count > limit ? cards[limit - 1].id : nil)
        }
        return .json(200, json.finish())
    }

    /// Answers `POST /cards`: makes an active card. The id of its account is not checked.
    func createCard(_ body: SecretBytes, key: String?, _ state: inout IncreaseState)
        -> (EmulatedResponse, resource: String?)
    {
        guard let view = try? json.parse(body).root else {
            return (IncreaseError.malformedRequest("The body is not JSON.").response, nil)
        }
        var reader = StrictReader()
        let known: Set = ["account_id", "description", "digital_wallet", "billing_address", "entity_id"]
        let members = reader.members(of: view, at: "", known: known) ?? [:]
        _ = reader.text(members["account_id"], at: "account_id")
        let description = reader.text(members["description"], at: "description", required: false)
        var wallet: [String: JSONView] = [:]
        if let view = members["digital_wallet"] {
            let known: Set = ["digital_card_profile_id", "email", "phone"]
            wallet = reader.members(of: view, at: "digital_wallet", known: known) ?? [:]
        }
        guard reader.problems.isEmpty else { return (IncreaseError.invalidParameters(reader.problems).response, nil) }
        let card = IncreaseCard(
            id: IncreaseState.newID("card"), description: description, email: wallet["email"]?.string,
            phone: wallet["phone"]?.string, key: key, at: clock.now)
        state.cards[card.id] = card
        return (answer(card), card.id)
    }

    /// Why a card cannot be reached at all: its id says so, or belongs to the other environment.
    func refusal(ofCard id: String) -> IncreaseError? {
        switch MagicCard.named(id) {
        case .noaccess: .insufficientPermissions
        case .otherenv: .environmentMismatch
        default: nil
        }
    }

    private func answer(_ card: IncreaseCard) -> EmulatedResponse {
        var json = JSONWriter()
        card.write(into: &json)
        return .json(200, json.finish())
    }
}
