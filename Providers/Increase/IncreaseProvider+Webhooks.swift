import ProviderKit
public import Provisioning
public import SecretMemory

/// Increase's webhooks: Standard Webhooks over `id.timestamp.body`, but with the shared secret's own bytes as the key.
/// They only name what changed, so it is fetched.
///
/// Upstream reference: <https://increase.com/documentation/webhooks>.
extension IncreaseProvider: WebhookSource {
    private static let categories: Set = [
        "digital_wallet_token.created", "digital_wallet_token.updated", "digital_wallet_token_request.created",
    ]

    /// Verifies a delivery. Of several `v1` any may fit; other versions are no proof.
    public func verify(_ delivery: WebhookDelivery) throws(WebhookRefusal) -> WebhookReceipt {
        let mac = WebhookMAC(keys: configuration.webhookSecrets.map(\.bytes), cryptography: kit.cryptography)
        try mac.checkReadiness()
        guard let id = delivery.header("webhook-id"), (1...256).contains(id.utf8.count),
            let time = delivery.header("webhook-timestamp"), let field = delivery.header("webhook-signature"),
            field.utf8.count <= 4096
        else { throw .malformed }
        try WebhookTime.seconds.check(time, at: delivery.receivedAt)
        let signatures = field.split(separator: " ").compactMap { signature -> SecretBytes? in
            guard signature.hasPrefix("v1,") else { return nil }
            return Base64.decode(SecretBytes(utf8: signature.dropFirst(3)))
        }
        try mac.check(signatures, of: [SecretBytes(utf8: "\(id).\(time)."), delivery.body])
        guard let event = kit.webhookObject(delivery.body), let key = event["id"]?.identifier else {
            return WebhookReceipt(key: kit.webhookKey(of: [id]), word: nil, use: .keep)
        }
        let word = event["category"]?.word
        return WebhookReceipt(key: key, word: word, use: Self.categories.contains(word ?? "") ? .read : .keep)
    }

    /// The object that an event names, which is fetched.
    public func outline(of body: SecretBytes) -> WebhookOutline {
        WebhookOutline(subject: kit.webhookObject(body)?["associated_object_id"]?.identifier)
    }

    /// Fetches the token, or the request for one, that an event names.
    ///
    /// - Throws: `token_not_found` where it is not there, or not yet; the failure of the processor.
    public func notice(in body: SecretBytes, deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> WebhookNotice
    {
        guard let event = kit.webhookObject(body), let id = event["associated_object_id"]?.identifier else {
            return WebhookNotice()
        }
        do throws(ProvisioningError) {
            let token: TokenSighting?
            if Self.tokenRequestIDPattern.matches(id) {
                let call = try configuration.readTokenRequest(id, deadline: deadline)
                token = try await increase.send(call).increaseDeclinedRequest()
            } else {
                let call = try configuration.readToken(id, deadline: deadline)
                token = try await increase.send(call).increaseToken(id)
            }
            guard let token else { return WebhookNotice() }
            return WebhookNotice(tokens: [token], providerCardID: token.providerCardID)
        } catch {
            // An id that is no token's names nothing, now or later. What is not found may be there later.
            if error.code == .tokenNotFound, error.outcome == .notSent { return WebhookNotice() }
            throw error.code == .providerCardNotFound
                ? ProvisioningError(.tokenNotFound, outcome: error.outcome, upstream: error.upstream) : error
        }
    }
}
