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

    /// An event with a digital card, signed as Checkout.com signs. The card stands from then on as the event says.
    ///
    /// Upstream reference: <https://www.checkout.com/docs/developer-resources/event-notifications>.
    public func webhook(_ event: String, of card: String?) -> EmulatedWebhook? {
        guard let card = state.withLock({ digitalCard(of: card, after: event, &$0) }) else { return nil }
        var json = JSONWriter()
        json.object { json in
            json.member("id", EmulatedWebhook.newID("evt_"))
            json.member("type", event)
            json.member("version", "2.0.0")
            json.member("created_on", clock.now.rfc3339)
            json.member(
                "data",
                object: { json in
                    if event == "digital_card_reprovisioned" {
                        write(reprovisioned: card, into: &json)
                    } else {
                        json.member("digital_card_id", card.id)
                        card.writeRest(into: &json)
                    }
                })
        }
        let body = json.finish()
        let code = EmulatedWebhook.hexCode(Self.webhookSecret, "", body)
        return EmulatedWebhook(headers: [("Cko-Signature", code)], body: body)
    }

    private func write(reprovisioned card: DigitalCard, into json: inout JSONWriter) {
        json.member("digital_card_id", card.id)
        json.member("card_id", card.cardID)
        json.member("client_id", IssuedCard.clientID)
        json.member("entity_id", IssuedCard.entityID)
        json.member("status", card.status)
        json.member("reprovisioned_on", clock.now.rfc3339)
    }

    /// The newest digital card that is not deleted, of the card where one is named; one that is made for it where there is
    /// none.
    private func digitalCard(of id: String?, after event: String, _ state: inout CheckoutState) -> DigitalCard? {
        func newest() -> Int? {
            state.digitalCards.lastIndex { $0.status != "deleted" && (id == nil || $0.cardID == id) }
        }
        if newest() == nil {
            guard let card = state.card(id ?? demoCard.id, at: clock.now), card.status == "active" else { return nil }
            let token = SimulatedToken.new(
                for: IssuedCard.lastFour, network: "mastercard", cardholderName: "Ian Crease")
            _ = addDigitalCard(token, of: card.id, in: .applePay, &state)
        }
        guard let index = newest() else { return nil }
        switch event {
        case "digital_card_deleted": state.digitalCards[index].status = "deleted"
        case "digital_card_pending", "digital_card_not_provisioned": state.digitalCards[index].status = "inactive"
        default: state.digitalCards[index].status = "active"
        }
        return state.digitalCards[index]
    }
}
