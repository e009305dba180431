import ProviderKit
public import Provisioning
public import SecretMemory

/// Imprint's webhooks: `X-IMPRINT-HMAC-SIGNATURE: t=…,s=…` over `t.body`, where `t` is in milliseconds. They have no id, so
/// their content tells them apart.
///
/// Upstream reference: <https://docs.imprint.co/verify-event-notification>.
extension ImprintProvider: WebhookSource {
    /// Verifies a delivery.
    public func verify(_ delivery: WebhookDelivery) throws(WebhookRefusal) -> WebhookReceipt {
        let mac = WebhookMAC(keys: configuration.webhookSecrets.map(key), cryptography: kit.cryptography)
        try mac.checkReadiness()
        guard let members = SignatureMembers(delivery.header("x-imprint-hmac-signature")), let time = members.only("t")
        else { throw .malformed }
        try WebhookTime.milliseconds.check(time, at: delivery.receivedAt)
        let signatures = members.all("s").compactMap { Hexadecimal.decode(SecretBytes(utf8: $0)) }
        try mac.check(signatures, of: [SecretBytes(utf8: "\(time)."), delivery.body])
        return receipt(for: delivery.body)
    }

    /// The payment method that a webhook is about. The webhook says all of it.
    public func outline(of body: SecretBytes) -> WebhookOutline {
        WebhookOutline(
            subject: kit.webhookObject(body)?["data"]?["payment_method_id"]?.identifier, takesCall: false)
    }

    /// Apple's entries among the tokens of a payment method's webhook.
    public func notice(in body: SecretBytes, deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> WebhookNotice
    {
        guard let data = kit.webhookObject(body)?["data"], let method = data["payment_method_id"]?.identifier else {
            return WebhookNotice()
        }
        let tokens = (data["tokens"]?.elements ?? []).compactMap { TokenSighting(imprint: $0, of: method) }
        return WebhookNotice(
            tokens: tokens, providerCardID: method,
            occurredAt: data["updated_at"]?.string.flatMap(WrittenMoment.init(rfc3339:))?.timestamp)
    }

    /// The key's bytes, in the form that the connection names.
    private func key(of secret: SecretText) -> SecretBytes {
        switch configuration.webhookKeyForm {
        case .utf8: secret.bytes
        case .sha256: SecretBytes(kit.cryptography.sha256([secret.bytes]))
        case .sha256Hex: Hexadecimal.encode(SecretBytes(kit.cryptography.sha256([secret.bytes])))
        }
    }

    private func receipt(for body: SecretBytes) -> WebhookReceipt {
        let event = kit.webhookObject(body)
        let word = event?["object"]?.word
        guard word == "PAYMENT_METHOD", let data = event?["data"], let method = data["payment_method_id"]?.identifier
        else {
            return WebhookReceipt(key: kit.webhookKey(ofBody: body), word: word, use: .keep)
        }
        let content = [
            "PAYMENT_METHOD", method, data["updated_at"]?.string ?? "", data["new_status"]?.string ?? "",
            data["tokens"]?.canonical.revealText() ?? "",
        ]
        return WebhookReceipt(key: kit.webhookKey(of: content), word: word, use: .read)
    }
}
