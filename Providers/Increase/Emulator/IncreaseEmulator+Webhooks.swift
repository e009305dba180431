import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

extension IncreaseEmulator {
    /// What Increase tells of tokens.
    public var webhookEvents: [String] { ["digital_wallet_token.created", "digital_wallet_token.updated"] }

    /// An event that names the newest token, and says no more of it: whoever takes it asks for the rest.
    ///
    /// Upstream reference: <https://increase.com/documentation/webhooks>.
    public func webhook(_ event: String) -> EmulatedWebhook? {
        guard let token = state.withLock({ $0.tokens.last }) else { return nil }
        let now = clock.now
        let id = EmulatedWebhook.newID("event_")
        var json = JSONWriter()
        json.object { json in
            json.member("id", id)
            json.member("created_at", now.wholeSecondsText)
            json.member("category", event)
            json.member("associated_object_type", "digital_wallet_token")
            json.member("associated_object_id", token.id)
            json.member("type", "event")
        }
        let body = json.finish()
        let code = EmulatedWebhook.code(Self.webhookSecret, "\(id).\(now.seconds).", body)
        return EmulatedWebhook(
            headers: [
                ("webhook-id", id), ("webhook-timestamp", "\(now.seconds)"),
                ("webhook-signature", "v1,\(Base64.encode(code.reveal()))"),
            ], body: body)
    }
}
