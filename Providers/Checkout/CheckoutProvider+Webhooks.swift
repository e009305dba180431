import ProviderKit
public import Provisioning
public import SecretMemory

/// Checkout.com's webhooks: `Cko-Signature` is the hexadecimal MAC of the body, with the workflow's key as it is written.
/// There is no timestamp, so an event's id alone keeps it from being applied twice.
///
/// Upstream reference: <https://www.checkout.com/docs/developer-resources/event-notifications>.
extension CheckoutProvider: WebhookSource {
    private static let prefix = "digital_card_"
    private static let types: Set = [
        "digital_card_pending", "digital_card_provisioned", "digital_card_not_provisioned", "digital_card_deleted",
        "digital_card_reprovisioned",
    ]

    /// Verifies a delivery.
    public func verify(_ delivery: WebhookDelivery) throws(WebhookRefusal) -> WebhookReceipt {
        let mac = WebhookMAC(keys: configuration.webhookSecrets.map(\.bytes), cryptography: kit.cryptography)
        try mac.checkReadiness()
        guard let field = delivery.header("cko-signature"),
            let signature = Hexadecimal.decode(SecretBytes(utf8: field)), !signature.isEmpty
        else { throw .malformed }
        try mac.check([signature], of: [delivery.body])
        guard let event = kit.webhookObject(delivery.body), let id = event["id"]?.identifier else {
            return WebhookReceipt(key: kit.webhookKey(ofBody: delivery.body), word: nil, use: .keep)
        }
        let word = event["type"]?.word
        return WebhookReceipt(key: id, word: word, use: Self.types.contains(word ?? "") ? .read : .keep)
    }

    /// The digital card that an event is about. The event says all of it.
    public func outline(of body: SecretBytes) -> WebhookOutline {
        WebhookOutline(
            subject: kit.webhookObject(body)?["data"]?["digital_card_id"]?.identifier, takesCall: false)
    }

    /// The digital card that an event tells of. A card that was not provisioned may have no id: then the event's stands in.
    public func notice(in body: SecretBytes, deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> WebhookNotice
    {
        guard let event = kit.webhookObject(body), let type = event["type"]?.string, Self.types.contains(type),
            let data = event["data"], let id = data["digital_card_id"]?.identifier ?? event["id"]?.identifier
        else { return WebhookNotice() }
        let moment = event["created_on"]?.string.flatMap(WrittenMoment.init(rfc3339:))
        let word = data["status"]?.string ?? String(type.dropFirst(Self.prefix.count))
        let status: TokenStatus =
            switch type {
            case "digital_card_pending": .requested
            case "digital_card_not_provisioned": .declined
            case "digital_card_deleted": .deleted
            default: TokenStatus(checkout: word)
            }
        let token = TokenSighting(checkout: data, id: id, status: status, rawStatus: word, at: moment)
        return WebhookNotice(
            tokens: [token], providerCardID: token.providerCardID, occurredAt: moment?.timestamp ?? token.createdAt)
    }
}
