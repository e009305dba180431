import Gateway
import ProviderKit
import Provisioning
import Storage

extension JSONWriter {
    /// Writes a token. `provider_status` is the processor's own word for its state.
    mutating func token(_ token: StoredToken) {
        object { json in
            json.member("object", "token")
            json.member("id", token.id)
            json.member("card", token.card.id)
            json.member("program", token.card.program)
            json.member("provider", token.provider)
            json.member("connection", token.connection)
            json.member("wallet", token.sighting.wallet?.rawValue)
            json.member("status", token.sighting.status.rawValue)
            json.member("provider_status", token.sighting.rawStatus.isEmpty ? nil : token.sighting.rawStatus)
            json.member("last4", token.sighting.last4)
            json.member("network_reference", token.sighting.networkReference)
            if let device = token.sighting.device {
                json.member(
                    "device",
                    object: { json in
                        json.member("type", device.kind)
                        json.member("name", device.name)
                    })
            } else {
                json.member("device", nil as String?)
            }
            json.member("provisioning", token.provisioning)
            json.member("created_at", token.sighting.createdAt)
            json.member("observed_at", token.observedAt)
            json.member("updated_at", token.updatedAt)
        }
    }
}
