import ProviderKit
import Provisioning

/// A network token as Stripe shows it.
struct StripeToken: Sendable {
    let id: String
    let cardID: String
    let createdAt: Timestamp
    let walletProvider: String
    var status: String
    var updatedAt: Timestamp
    let last4: String
    let reference: String

    /// Writes the token; its network data only where it was asked for.
    func write(into json: inout JSONWriter, withNetworkData: Bool = false) {
        json.object { json in
            json.member("id", id)
            json.member("object", "issuing.token")
            json.member("card", cardID)
            json.member("created", Int(createdAt.seconds))
            json.member("device_fingerprint", nil as String?)
            json.member("last4", last4)
            json.member("livemode", false)
            json.member("network", "visa")
            if withNetworkData { json.member("network_data", object: writeNetworkData) }
            json.member("network_updated_at", Int(updatedAt.seconds))
            json.member("status", status)
            json.member("wallet_provider", walletProvider)
        }
    }

    private func writeNetworkData(into json: inout JSONWriter) {
        json.member(
            "device",
            object: { json in
                json.member("name", "Simulated device")
                json.member("type", "phone")
            })
        json.member("type", "visa")
        json.member(
            "visa",
            object: { json in
                json.member("card_reference_id", nil as String?)
                json.member("token_reference_id", reference)
                json.member("token_requestor_id", "40010000000")
            })
        json.member(
            "wallet_provider",
            object: { json in
                json.member("card_number_source", "app")
                json.member("suggested_decision", status == "requested" ? "require_auth" : "approve")
            })
    }
}
