import ProviderKit
import Provisioning
import Sandbox

/// A card as Increase keeps it. Its number exists nowhere; last four digits and BIN are invented.
struct IncreaseCard: Sendable {
    let id: String
    let createdAt: Timestamp
    let last4: String
    let status: String
    let description: String?
    let email: String?
    let phone: String?
    var idempotencyKey: String?

    static let bin = "445500"
    static let accountID = "sandbox_account_in71c4amph0vgo2qllky"

    /// A card that a magic id stands for.
    init(magic: MagicCard, id: String, at moment: Timestamp) {
        self.id = id
        createdAt = moment
        last4 = "1881"
        status =
            switch magic {
            case .canceled, .disabled: magic.rawValue
            case .unheardof: "hibernating"
            default: "active"
            }
        description = "Emulated card"
        email = magic == .nocontact ? nil : "ian@crease.example"
        phone = magic == .nocontact ? nil : "+12125550100"
    }

    /// A card that was made by a call.
    init(id: String, description: String?, email: String?, phone: String?, key: String?, at moment: Timestamp) {
        self.id = id
        createdAt = moment
        last4 = "1881"
        status = "active"
        self.description = description
        self.email = email
        self.phone = phone
        idempotencyKey = key
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("account_id", Self.accountID)
            json.member("authorization_controls", nil as String?)
            json.member(
                "billing_address",
                object: { json in
                    json.member("line1", "33 Liberty Street")
                    json.member("line2", nil as String?)
                    json.member("city", "New York")
                    json.member("state", "NY")
                    json.member("postal_code", "10045")
                })
            json.member("bin", Self.bin)
            json.member("cardholder_name", nil as String?)
            json.member("created_at", createdAt.wholeSecondsText)
            json.member("description", description)
            json.member(
                "digital_wallet",
                object: { json in
                    json.member("digital_card_profile_id", nil as String?)
                    json.member("email", email)
                    json.member("phone", phone)
                })
            json.member("entity_id", nil as String?)
            json.member("expiration_month", 11)
            json.member("expiration_year", 2031)
            json.member("idempotency_key", idempotencyKey)
            json.member("last4", last4)
            json.member("renewals", array: { _ in })
            json.member("replacement_for", nil as String?)
            json.member("status", status)
            json.member("type", "card")
        }
    }
}
