import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

extension IncreaseEmulator {
    /// What Increase tells of tokens.
    public var webhookEvents: [String] { ["digital_wallet_token.created", "digital_wallet_token.updated"] }

    /// An event that names a token, and says no more of it: whoever takes it asks for the rest.
    ///
    /// Upstream reference: <https://increase.com/documentation/webhooks>.
    public func webhook(_ event: String, of card: String?) -> EmulatedWebhook? {
        guard let token = state.withLock({ token(of: card, &$0) }) else { return nil }
        let now = clock.now
        let id = EmulatedWebhook.newID("event_")
        var json = JSONWriter()
        json.object { json in
            json.member("id", id)
            json.member("created_at", now.wholeSecondsText)
            json.member("category", event)
            json.member("associated_object_type", "digital_wallet_token")
            json.member("associated_object_id", token.id)
            json.member("type", "event")
        }
        let body = json.finish()
        let code = EmulatedWebhook.code(Self.webhookSecret, "\(id).\(now.seconds).", body)
        return EmulatedWebhook(
            headers: [
                ("webhook-id", id), ("webhook-timestamp", "\(now.seconds)"),
                ("webhook-signature", "v1,\(Base64.encode(code.reveal()))"),
            ], body: body)
    }

    /// The newest token, of the card where one is named; one that is made for it where there is none.
    private func token(of id: String?, _ state: inout IncreaseState) -> IncreaseToken? {
        func newest() -> IncreaseToken? { state.tokens.last { id == nil || $0.cardID == id } }
        if let token = newest() { return token }
        guard let card = state.card(id ?? demoCard.id, at: clock.now), card.status == "active" else { return nil }
        let number = SimulatedToken.new(for: card.last4, network: "visa", cardholderName: "Ian Crease")
        addToken(number, card, MagicCard.named(card.id) ?? .ok, "apple_pay", device: nil, &state)
        return newest()
    }
}
