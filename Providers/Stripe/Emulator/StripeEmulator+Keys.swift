import ProviderKit
import Provisioning
import Sandbox

extension StripeEmulator {
    /// Checks that a POST brings a form.
    func checkForm(_ request: EmulatedRequest) throws(StripeError) {
        let media = request.header("content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
        guard media == "application/x-www-form-urlencoded" else {
            throw .invalid("Send Content-Type: application/x-www-form-urlencoded.")
        }
    }

    /// Answers `POST /v1/ephemeral_keys` for an issued card.
    func createKey(_ request: EmulatedRequest, version: String?, _ state: inout StripeState) throws(StripeError)
        -> (answer: EmulatedResponse, hasBegun: Bool)
    {
        try checkForm(request)
        guard let version else {
            throw .invalid("Send the Stripe-Version header: an ephemeral key is made for the version of a mobile SDK.")
        }
        let id = try FormReader(request.form, known: ["issuing_card"]).required("issuing_card")
        let magic = MagicCard.named(id)
        if let magic, let refusal = refusal(ofKeyFor: magic, id, &state) { throw refusal }
        guard let card = state.card(id, at: clock.now), let magic else {
            throw .noSuch("issuing card", status: 400, param: "issuing_card")
        }
        if let failure = answerWithoutWork(magic) { return (failure, magic != .reset) }
        let now = clock.now
        let lifetime = magic == .expired ? -1 : StripeKey.lifetimeSeconds
        let key = StripeKey(
            id: StripeState.newID("ephkey_1"), secret: SecretText(StripeState.newID("ek_test_", length: 60)),
            cardID: card.id, version: version, createdAt: now, expiresAt: now.adding(milliseconds: lifetime * 1000))
        state.keys.append(key)
        return (spoil(.json(200, key.text), magic), true)
    }

    /// Answers `DELETE /v1/ephemeral_keys/{key}`: it ends at once.
    func deleteKey(_ id: String, _ state: inout StripeState) throws(StripeError) -> EmulatedResponse {
        guard let index = state.keys.firstIndex(where: { $0.id == id }) else {
            throw .noSuch("ephemeral key", status: 404, param: "key")
        }
        state.keys[index].expiresAt = min(state.keys[index].expiresAt, clock.now)
        return .json(200, state.keys[index].text)
    }

    /// What a card's id refuses before anything is done.
    private func refusal(ofKeyFor magic: MagicCard, _ id: String, _ state: inout StripeState) -> StripeError? {
        switch magic {
        case .ratelimited: .rateLimited
        case .locked: .locked
        case .conflict: state.conflicts.insert(id).inserted ? .keyInUse : nil
        case .declined: .declined
        case .forbidden: .forbidden
        default: nil
        }
    }

    /// The answer of a card whose calls make no key; nil for the others.
    private func answerWithoutWork(_ magic: MagicCard) -> EmulatedResponse? {
        switch magic {
        case .error: StripeError.failure(shouldRetry: nil).response
        case .finalerror: StripeError.failure(shouldRetry: false).response
        case .unavailable:
            .html(503, "<!doctype html><html><body><h1>503 Service Temporarily Unavailable</h1></body></html>")
        case .reset: EmulatedResponse(status: 200, breaks: .reset)
        case .empty: .json(200, SecretBytes([]))
        case .garbled: .json(200, SecretBytes(utf8: #"{"object":"ephemeral_key","secret":"ek_test_"#))
        case .oversize: .json(200, SecretBytes([UInt8](repeating: 0x20, count: 300_000)))
        default: nil
        }
    }

    /// The answer of a card whose calls make a key, but answer badly.
    private func spoil(_ answer: EmulatedResponse, _ magic: MagicCard) -> EmulatedResponse {
        var spoiled = answer
        switch magic {
        case .slow: spoiled.delay = .seconds(30)
        case .lost: spoiled.breaks = .reset
        case .truncated: spoiled.breaks = .truncate(after: 40)
        default: break
        }
        return spoiled
    }
}
