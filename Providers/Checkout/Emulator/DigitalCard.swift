import ProviderKit
import Provisioning

/// A digital card as Checkout.com shows it.
///
/// Upstream reference: `issuing/digitalcards` of `checkout-sdk-go` v3.
struct DigitalCard: Sendable {
    let id: String
    let cardID: String
    var status: String
    let wallet: Wallet
    let reference: String
    let provisionedAt: Timestamp

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            writeRest(into: &json)
        }
    }

    /// Writes all but the id, which stands under another name in events.
    func writeRest(into json: inout JSONWriter) {
        json.member("card_id", cardID)
        json.member("client_id", IssuedCard.clientID)
        json.member("entity_id", IssuedCard.entityID)
        json.member("last_four", IssuedCard.lastFour)
        json.member("status", status)
        json.member("type", wallet == .applePay ? "secure_element" : "host_card_emulation")
        json.member("scheme_card_id", reference)
        json.member(
            "requestor",
            object: { json in
                json.member("id", wallet == .applePay ? "50110030273" : "50120834693")
                json.member("name", wallet == .applePay ? "APPLE PAY" : "GOOGLE PAY")
            })
        json.member(
            "device", object: { json in json.member("type", wallet == .applePay ? "iphone" : "android_phone") })
        json.member("provisioned_on", provisionedAt.rfc3339)
    }
}
