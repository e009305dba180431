import Crypto
import ProviderKit
import Provisioning
import SecretMemory

/// Signs what leaves for a destination, by Standard Webhooks 1.0.
///
/// The signed text is the id, the time in whole seconds and the body's bytes, with points between them: the very bytes
/// that are sent. While one secret replaces another, each signs.
struct WebhookSigner: Sendable {
    /// The secrets in force, the current one first.
    let secrets: [WebhookSecret]

    /// The header fields that go with a body. `id` names the event: it is the same at every try.
    func headers(id: String, at moment: Timestamp, body: SecretBytes) -> [UpstreamRequest.Header] {
        let time = String(moment.seconds)
        let head = SecretBytes(utf8: "\(id).\(time).")
        let signatures = secrets.map { secret in
            "v1," + Base64.encode(HMACSHA256.code(key: secret.key, of: [head, body]))
        }
        return [
            .init("webhook-id", id), .init("webhook-timestamp", time),
            .init("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}
