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
    public func webhook(_ event: String, of card: String?) -> EmulatedWebhook? {
        guard let newest = state.withLock({ method(card, &$0) }) else { return nil }
        let now = clock.now
        var json = JSONWriter()
        json.object { json in
            json.member("object", "PAYMENT_METHOD")
            json.member(
                "data",
                object: { json in
                    json.member("merchant_key", Self.merchantKey)
                    json.member("payment_method_id", newest.id)
                    json.member("customer_id", PaymentMethod.customerID)
                    json.member("partner_customer_id", nil as String?)
                    json.member("previous_status", newest.shownStatus)
                    json.member("new_status", newest.shownStatus)
                    json.member("card_type", "UNIFIED")
                    json.member("card_design_id", "design_invented")
                    json.member("created_at", newest.createdAt.rfc3339)
                    json.member("updated_at", now.rfc3339)
                    json.member("customer_metadata", object: { _ in })
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

    /// The payment method that was last added to a wallet, or the named one. One that no wallet has is added to one.
    private func method(_ id: String?, _ state: inout ImprintState) -> PaymentMethod? {
        let newest = state.methods.values.filter { !$0.tokens.isEmpty && (id == nil || $0.id == id) }.max {
            ($0.tokens.last?.createdAt?.milliseconds ?? 0) < ($1.tokens.last?.createdAt?.milliseconds ?? 0)
        }
        if let newest { return newest }
        guard let method = state.method(id ?? demoCard.id, at: clock.now), method.status == "ACTIVE",
            method.type == "CARD", method.magic != .noToken
        else { return nil }
        let number = SimulatedToken.new(
            for: PaymentMethod.last4, network: "visa", cardholderName: "Imprint Cardholder")
        state.methods[method.id]?.tokens.append(
            PaymentMethod.Token(
                reference: number.reference, createdAt: method.magic == .undated ? nil : clock.now))
        return state.methods[method.id]
    }
}
