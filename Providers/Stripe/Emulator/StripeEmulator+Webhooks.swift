import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

extension StripeEmulator {
    /// What Stripe tells of tokens.
    public var webhookEvents: [String] { ["issuing_token.created", "issuing_token.updated"] }

    /// An event with a token, signed as Stripe signs.
    ///
    /// Upstream reference: <https://docs.stripe.com/webhooks/signature>.
    public func webhook(_ event: String, of card: String?) -> EmulatedWebhook? {
        guard let token = state.withLock({ token(of: card, &$0) }) else { return nil }
        let time = clock.now.seconds
        var json = JSONWriter()
        json.object { json in
            json.member("id", StripeState.newID("evt_", length: 24))
            json.member("object", "event")
            json.member("api_version", "2020-08-27")
            json.member("created", Int(time))
            json.member(
                "data",
                object: { json in
                    json.key("object")
                    token.write(into: &json)
                })
            json.member("livemode", false)
            json.member("pending_webhooks", 1)
            json.member("type", event)
        }
        let body = json.finish()
        let code = EmulatedWebhook.hexCode(Self.webhookSecret, "\(time).", body)
        return EmulatedWebhook(headers: [("Stripe-Signature", "t=\(time),v1=\(code)")], body: body)
    }

    /// The newest token, of the card where one is named; one that is made for it where there is none.
    private func token(of id: String?, _ state: inout StripeState) -> StripeToken? {
        if let token = state.tokens.last(where: { id == nil || $0.cardID == id }) { return token }
        guard let card = state.card(id ?? demoCard.id, at: clock.now), card.magic != .notoken,
            !["inactive", "canceled"].contains(card.status)
        else { return nil }
        let number = SimulatedToken.new(for: card.last4, network: "visa", cardholderName: card.cardholderName)
        return addToken(number, of: card, in: "apple_pay", &state)
    }
}
