import ProviderKit
import Provisioning
import Sandbox

/// A card as Checkout.com keeps it. Its number exists nowhere; the last four digits are invented.
///
/// Upstream reference: `CardDetailsData` of `checkout-sdk-go` v3, `issuing/cards/responses.go`.
struct IssuedCard: Sendable {
    let id: String
    let cardholderID: String
    let status: String
    let createdAt: Timestamp

    static let lastFour = "1006"
    static let clientID = "cli_vkuhvk4vjn2edkps7dfsq6emqm"
    static let entityID = "ent_fa6psq242dcd6fdn5gifcq1491"

    init(_ magic: MagicCard, id: String, at moment: Timestamp) {
        self.id = id
        createdAt = moment
        cardholderID = magic == .foreign ? CheckoutState.otherCardholder : CheckoutState.cardholder
        status =
            switch magic {
            case .inactive, .suspended, .revoked: magic.rawValue
            case .unheardof: "hibernating"
            default: "active"
            }
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("type", "virtual")
            json.member("id", id)
            json.member("cardholder_id", cardholderID)
            json.member("card_product_id", "pro_simulated0000000000000000")
            json.member("client_id", Self.clientID)
            json.member("entity_id", Self.entityID)
            json.member("last_four", Self.lastFour)
            json.member("expiry_month", 11)
            json.member("expiry_year", 2031)
            json.member("status", status)
            json.member("display_name", "IAN CREASE")
            json.member("billing_currency", "EUR")
            json.member("issuing_country", "IE")
            json.member("scheme", "mastercard")
            json.member("is_single_use", false)
            json.member("reference", "emulated")
            json.member("created_date", createdAt.rfc3339)
            json.member("last_modified_date", createdAt.rfc3339)
        }
    }
}
