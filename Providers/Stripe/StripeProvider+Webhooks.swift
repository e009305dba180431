import ProviderKit
public import Provisioning
public import SecretMemory

/// Stripe's webhooks: `Stripe-Signature: t=…,v1=…`, over `t.body`, with the endpoint's secret as it is written.
///
/// Upstream reference: <https://docs.stripe.com/webhooks/signature>.
extension StripeProvider: WebhookSource {
    /// Verifies a delivery. Of several `v1` any may fit; other schemes are no proof.
    public func verify(_ delivery: WebhookDelivery) throws(WebhookRefusal) -> WebhookReceipt {
        let mac = WebhookMAC(keys: configuration.webhookSecrets.map(\.bytes), cryptography: kit.cryptography)
        try mac.checkReadiness()
        guard let members = SignatureMembers(delivery.header("stripe-signature")), let time = members.only("t") else {
            throw .malformed
        }
        try WebhookTime.seconds.check(time, at: delivery.receivedAt)
        let signatures = members.all("v1").compactMap { Hexadecimal.decode(SecretBytes(utf8: $0)) }
        try mac.check(signatures, of: [SecretBytes(utf8: "\(time)."), delivery.body])
        return receipt(for: delivery.body)
    }

    /// The token that an event is about. A new one is asked about.
    public func outline(of body: SecretBytes) -> WebhookOutline {
        let event = kit.webhookObject(body)
        return WebhookOutline(
            subject: event?["data"]?["object"]?["id"]?.identifier,
            takesCall: event?["type"]?.equals("issuing_token.created") == true)
    }

    /// The token that an event holds. What the network told of a new token's device is fetched at once, because Stripe
    /// tells it for a day only; where it cannot be had, the event says enough.
    public func notice(in body: SecretBytes, deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> WebhookNotice
    {
        guard let event = kit.webhookObject(body), let object = event["data"]?["object"],
            var token = TokenSighting(stripe: object)
        else { return WebhookNotice() }
        if event["type"]?.equals("issuing_token.created") == true,
            let call = try? configuration.readToken(token.id, deadline: deadline),
            let told = try? await stripe.send(call).stripeToken(token.id)
        {
            token.device = told.device
            token.networkReference = told.networkReference
            token.last4 = token.last4 ?? told.last4
        }
        return WebhookNotice(
            tokens: [token], providerCardID: token.providerCardID,
            occurredAt: event["created"]?.integer.flatMap(Int64.init(exactly:)).map {
                Timestamp(seconds: min(max($0, 0), 253_402_300_799))
            })
    }

    private func receipt(for body: SecretBytes) -> WebhookReceipt {
        guard let event = kit.webhookObject(body), let object = event["object"]?.string,
            let id = event["id"]?.identifier
        else {
            return WebhookReceipt(key: kit.webhookKey(ofBody: body), word: nil, use: .keep)
        }
        let word = event["type"]?.word
        // A thin event names what changed in another form, and belongs to another endpoint.
        if object == "v2.core.event" { return WebhookReceipt(key: id, word: word, use: .ignore) }
        let isToken = object == "event" && ["issuing_token.created", "issuing_token.updated"].contains(word ?? "")
        return WebhookReceipt(key: id, word: word, use: isToken ? .read : .keep)
    }
}
