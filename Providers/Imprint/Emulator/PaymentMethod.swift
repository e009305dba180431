import ProviderKit
import Provisioning
import Sandbox

/// A payment method as Imprint shows it to a partner that may see card numbers. Number and code are invented.
struct PaymentMethod {
    /// An entry of `tokens`.
    struct Token {
        let reference: String
        let createdAt: Timestamp?
    }

    let id: String
    let magic: MagicPaymentMethod
    let createdAt: Timestamp
    var tokens: [Token] = []
    /// The devices whose Apple wallet holds the card, by their intermediate certificates.
    var devices: Set<[UInt8]> = []

    static let last4 = "4242"
    static let customerID = "9C1B6A52-0D3F-4E7A-B8C4-51F2E6079D3A"

    var type: String { magic == .bankAccount ? "BANK_ACCOUNT" : "CARD" }

    /// What the object shows.
    var shownStatus: String { magic == .dormant ? "DORMANT" : status }

    /// What decides.
    var status: String {
        switch magic {
        case .inactive: "INACTIVE"
        case .canceled: "CANCELED"
        default: "ACTIVE"
        }
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("type", type)
            json.member("customer_id", Self.customerID)
            if magic == .bankAccount {
                json.member("bank_account", object: Self.writeAccount)
            } else {
                json.member("card", object: writeCard)
            }
            json.member("created_at", createdAt.rfc3339)
            json.member("updated_at", (tokens.last?.createdAt ?? createdAt).rfc3339)
            json.member("status", shownStatus)
            json.member("metadata", object: { _ in })
        }
    }

    private static func writeAccount(into json: inout JSONWriter) {
        json.member("last4", last4)
        json.member("routing_number", "000000000")
        json.member("bank_name", "Invented Bank")
        json.member("account_type", "CHECKING")
    }

    private func writeCard(into json: inout JSONWriter) {
        json.member("last4", Self.last4)
        json.member("brand", "VISA")
        json.member("network", "VISA")
        json.member("card_type", "UNIFIED")
        json.member("card_design_id", "design_invented")
        json.member("exp_month", "11")
        json.member("exp_year", "2031")
        json.member(
            "pci_details",
            object: { json in
                json.member("pan", ImprintEmulator.cardNumber)
                json.member("exp_month", "11")
                json.member("exp_year", "2031")
                json.member("cvv", ImprintEmulator.cardCode)
            })
        json.member(
            "tokens",
            array: { json in
                for token in tokens {
                    json.object { json in
                        json.member("type", "APPLE_WALLET")
                        json.member("token", token.reference)
                        json.member("pan_reference_id", "V-0000000000000000000000004242")
                        json.member("created_at", token.createdAt?.rfc3339 ?? "")
                        json.member("updated_at", token.createdAt?.rfc3339 ?? "")
                    }
                }
            })
    }
}
