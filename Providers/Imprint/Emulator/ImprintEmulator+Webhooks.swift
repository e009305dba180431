import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

extension ImprintEmulator {
    /// What Imprint tells of payment methods.
    public var webhookEvents: [String] { ["payment_method"] }

    /// The payment method that was last added to a wallet, signed as Imprint signs: its time is in milliseconds.
    ///
    /// Upstream reference: <https://docs.imprint.co/add-to-wallet>.
    public func webhook(_ event: String) -> EmulatedWebhook? {
        let newest = state.withLock { state in
            state.methods.values.filter { !$0.tokens.isEmpty }.max {
                ($0.tokens.last?.createdAt?.milliseconds ?? 0) < ($1.tokens.last?.createdAt?.milliseconds ?? 0)
            }
        }
        guard let newest else { return nil }
        let now = clock.now
        var json = JSONWriter()
        json.object { json in
            json.member("object", "PAYMENT_METHOD")
            json.member(
                "data",
                object: { json in
                    json.member("payment_method_id", newest.id)
                    json.member("new_status", newest.shownStatus)
                    json.member("updated_at", now.rfc3339)
                    json.member(
                        "tokens",
                        array: { json in
                            for token in newest.tokens {
                                json.object { json in
                                    json.member("type", "APPLE_WALLET")
                                    json.member("token", token.reference)
                                    json.member("created_at", token.createdAt?.rfc3339 ?? "")
                                }
                            }
                        })
                })
        }
        let body = json.finish()
        let code = EmulatedWebhook.hexCode(Self.webhookSecret, "\(now.milliseconds).", body)
        return EmulatedWebhook(
            headers: [("X-IMPRINT-HMAC-SIGNATURE", "t=\(now.milliseconds),s=\(code)")], body: body)
    }
}
