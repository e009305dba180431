import ProviderKit
import Provisioning

/// An issued card as Stripe keeps it. Its number exists nowhere; last four digits are invented.
struct StripeCard: Sendable {
    let id: String
    let magic: MagicCard
    let createdAt: Timestamp
    /// Null until the first provisioning.
    var primaryAccountIdentifier: String?

    let last4 = "4242"
    let cardholderName = "Jenny Rosen"

    var status: String {
        switch magic {
        case .inactive: "inactive"
        case .canceled: "canceled"
        case .unheardof: "resting"
        default: "active"
        }
    }

    private var ineligibleReason: String? {
        switch magic {
        case .missingagreement: "missing_agreement"
        case .unsupportedregion: "unsupported_region"
        case .nocontact: "missing_cardholder_contact"
        default: nil
        }
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("object", "issuing.card")
            json.member("brand", "Visa")
            json.member("cancellation_reason", magic == .canceled ? "lost" : nil)
            json.member("cardholder", object: writeCardholder)
            json.member("created", Int(createdAt.seconds))
            json.member("currency", "usd")
            json.member("exp_month", 11)
            json.member("exp_year", 2031)
            json.member("financial_account", nil as String?)
            json.member("last4", last4)
            json.member("latest_fraud_warning", nil as String?)
            json.member("lifecycle_controls", nil as String?)
            json.member("livemode", false)
            json.member("metadata", object: { _ in })
            json.member("personalization_design", nil as String?)
            json.member("replaced_by", nil as String?)
            json.member("replacement_for", nil as String?)
            json.member("replacement_reason", nil as String?)
            json.member("second_line", nil as String?)
            json.member("shipping", nil as String?)
            json.member("spending_controls", object: { json in json.member("spending_limits", array: { _ in }) })
            json.member("status", status)
            json.member("type", "virtual")
            json.member("wallets", object: writeWallets)
        }
    }

    private func writeCardholder(into json: inout JSONWriter) {
        json.member("id", "ich_jenny")
        json.member("object", "issuing.cardholder")
        json.member("billing", object: { json in json.member("address", object: writeAddress) })
        json.member("company", nil as String?)
        json.member("created", Int(createdAt.seconds))
        json.member("email", magic == .nocontact ? nil : "jenny.rosen@example.com")
        json.member("livemode", false)
        json.member("metadata", object: { _ in })
        json.member("name", cardholderName)
        json.member("phone_number", magic == .nocontact ? nil : "+18008675309")
        json.member("status", "active")
        json.member("type", "individual")
    }

    private func writeAddress(into json: inout JSONWriter) {
        json.member("city", "San Francisco")
        json.member("country", "US")
        json.member("line1", "1234 Main Street")
        json.member("line2", nil as String?)
        json.member("postal_code", "94111")
        json.member("state", "CA")
    }

    private func writeWallets(into json: inout JSONWriter) {
        for wallet in ["apple_pay", "google_pay"] {
            json.member(
                wallet,
                object: { json in
                    json.member("eligible", ineligibleReason == nil)
                    json.member("ineligible_reason", ineligibleReason)
                })
        }
        json.member("primary_account_identifier", primaryAccountIdentifier)
    }
}
