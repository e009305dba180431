import ProviderKit
import Sandbox
import SecretMemory
import Synchronization

extension CheckoutEmulator {
    /// Answers `GET /issuing/…`.
    func read(_ path: [String], token: String) -> EmulatedResponse {
        switch (path[0], path.count) {
        case ("cards", 2): readCard(path[1], token: token)
        case ("cardholders", 2): readCardholder(path[1])
        case ("cardholders", 3) where path[2] == "cards": readCards(of: path[1])
        case ("digital-cards", 2): readDigitalCard(path[1])
        default: CheckoutError.notFound.response
        }
    }

    private func readCard(_ id: String, token: String) -> EmulatedResponse {
        guard CheckoutState.isID(id, "crd") else { return CheckoutError.notFound.response }
        let magic = MagicCard.named(id) ?? .ok
        if magic == .stale, endsToken(token) { return CheckoutError.unauthorized.response }
        if let refusal = refusal(ofCard: magic) { return refusal }
        guard let card = state.withLock({ $0.card(id, at: clock.now) }) else {
            return CheckoutError.notFound.response
        }
        var json = JSONWriter()
        card.write(into: &json)
        return spoil(answer(json.finish()), magic)
    }

    /// Ends the access token the first time that the stale card is asked for.
    private func endsToken(_ token: String) -> Bool {
        state.withLock { state in
            if state.hasGoneStale { return false }
            state.hasGoneStale = true
            state.grants[token] = nil
            return true
        }
    }

    private func readCardholder(_ id: String) -> EmulatedResponse {
        guard [CheckoutState.cardholder, CheckoutState.otherCardholder].contains(id) else {
            return CheckoutError.notFound.response
        }
        var json = JSONWriter()
        json.object { json in
            json.member("id", id)
            json.member("type", "individual")
            json.member("status", "active")
            json.member("client_id", IssuedCard.clientID)
            json.member("entity_id", IssuedCard.entityID)
            json.member("first_name", "Ian")
            json.member("last_name", "Crease")
        }
        return answer(json.finish())
    }

    private func readCards(of cardholderID: String) -> EmulatedResponse {
        let cards = state.withLock { $0.cards.values.filter { $0.cardholderID == cardholderID } }
        var json = JSONWriter()
        json.object { json in
            json.member(
                "cards", array: { json in for card in cards.sorted(by: { $0.id < $1.id }) { card.write(into: &json) } })
        }
        return answer(json.finish())
    }

    private func readDigitalCard(_ id: String) -> EmulatedResponse {
        guard let card = state.withLock({ state in state.digitalCards.first { $0.id == id } }) else {
            return CheckoutError.notFound.response
        }
        var json = JSONWriter()
        card.write(into: &json)
        return answer(json.finish())
    }

    private func answer(_ body: SecretBytes) -> EmulatedResponse {
        var response = EmulatedResponse.json(200, body)
        response.headers.append(("cko-request-id", CheckoutState.newID("req")))
        return response
    }

    /// What a card's id refuses, or answers without having been read.
    private func refusal(ofCard magic: MagicCard) -> EmulatedResponse? {
        switch magic {
        case .noaccess: CheckoutError.forbidden.response
        case .notoken: CheckoutError.unauthorized.response
        case .conflict: CheckoutError.conflict.response
        case .ratelimited: CheckoutError.rateLimited.response
        case .error: CheckoutError.internalError.response
        case .unavailable:
            .html(503, "<!doctype html><html><body><h1>503 Service Temporarily Unavailable</h1></body></html>")
        case .reset: EmulatedResponse(status: 200, breaks: .reset)
        case .empty: .json(200, SecretBytes([]))
        case .garbled: .json(200, SecretBytes(utf8: #"{"id":"crd_garbled","status":"#))
        case .oversize: .json(200, SecretBytes([UInt8](repeating: 0x20, count: 300_000)))
        default: nil
        }
    }

    private func spoil(_ answer: EmulatedResponse, _ magic: MagicCard) -> EmulatedResponse {
        var spoiled = answer
        switch magic {
        case .slow: spoiled.delay = .seconds(30)
        case .truncated: spoiled.breaks = .truncate(after: 40)
        default: break
        }
        return spoiled
    }
}
