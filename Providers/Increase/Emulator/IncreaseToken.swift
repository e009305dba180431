import ProviderKit
import Provisioning
import Sandbox

/// A digital wallet token as Increase shows it.
struct IncreaseToken: Sendable {
    let id: String
    let cardID: String
    let cardholderName: String
    let createdAt: Timestamp
    let requestor: String
    let deviceType: String
    let deviceIdentifier: String?
    let status: String
    let numberLast4: String
    let reference: String

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("account_id", IncreaseCard.accountID)
            json.member("card_id", cardID)
            json.member("cardholder", object: { json in json.member("name", cardholderName) })
            json.member("created_at", createdAt.wholeSecondsText)
            json.member(
                "device",
                object: { json in
                    json.member("device_type", deviceType)
                    json.member("identifier", deviceIdentifier)
                    json.member("ip_address", nil as String?)
                    json.member("name", "Simulated device")
                })
            json.member(
                "dynamic_primary_account_number",
                object: { json in
                    json.member("first6", "489537")
                    json.member("last4", numberLast4)
                })
            json.member("primary_account_number_reference_identifier", "V-0000000000000000000000001881")
            json.member("status", status)
            json.member("token_reference_identifier", reference)
            json.member("token_requestor", requestor)
            json.member("type", "digital_wallet_token")
            json.member(
                "updates",
                array: { json in
                    json.object { json in
                        json.member("status", status)
                        json.member("timestamp", createdAt.wholeSecondsText)
                    }
                })
        }
    }
}
