import ProviderKit
import Provisioning

/// An ephemeral key as Stripe keeps it: it opens one card, in one version, for an hour.
struct StripeKey: Sendable {
    static let lifetimeSeconds: Int64 = 3600

    let id: String
    let secret: SecretText
    let cardID: String
    let version: String
    let createdAt: Timestamp
    var expiresAt: Timestamp

    /// The object as Stripe writes it, spaces and all: who parses it and writes it again has altered it.
    ///
    /// No schema declares `associated_objects`, and the SDKs reject a key without them.
    var text: SecretBytes {
        var text = SecretBuilder(capacity: 512)
        text.append(
            """
            {
              "id": "\(id)",
              "object": "ephemeral_key",
              "associated_objects": [
                {
                  "id": "\(cardID)",
                  "type": "issuing.card"
                }
              ],
              "created": \(createdAt.seconds),
              "expires": \(expiresAt.seconds),
              "livemode": false,
              "secret": "
            """)
        text.append(secret.bytes)
        text.append("\"\n}\n")
        return text.finish()
    }
}
