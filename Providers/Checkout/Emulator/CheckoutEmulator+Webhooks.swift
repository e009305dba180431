import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

extension CheckoutEmulator {
    /// What Checkout.com tells of digital cards.
    public var webhookEvents: [String] {
        [
            "digital_card_pending", "digital_card_provisioned", "digital_card_not_provisioned",
            "digital_card_reprovisioned", "digital_card_deleted",
        ]
    }

    /// An event with the newest digital card, signed as Checkout.com signs.
    ///
    /// Upstream reference: <https://www.checkout.com/docs/developer-resources/event-notifications>.
    public func webhook(_ event: String) -> EmulatedWebhook? {
        guard let card = state.withLock({ $0.digitalCards.last }) else { return nil }
        var json = JSONWriter()
        json.object { json in
            json.member("id", EmulatedWebhook.newID("evt_"))
            json.member("type", event)
            json.member("version", "2.0.0")
            json.member("created_on", clock.now.rfc3339)
            json.member(
                "data",
                object: { json in
                    json.member("digital_card_id", card.id)
                    json.member("card_id", card.cardID)
                    json.member("client_id", IssuedCard.clientID)
                    json.member("entity_id", IssuedCard.entityID)
                    json.member("last_four", IssuedCard.lastFour)
                    json.member("status", card.status)
                    json.member("scheme_card_id", card.reference)
                    json.member("provisioned_on", card.provisionedAt.rfc3339)
                    json.member(
                        "requestor",
                        object: { $0.member("name", card.wallet == .applePay ? "APPLE PAY" : "GOOGLE PAY") })
                })
        }
        let body = json.finish()
        let code = EmulatedWebhook.hexCode(Self.webhookSecret, "", body)
        return EmulatedWebhook(headers: [("Cko-Signature", code)], body: body)
    }
}
