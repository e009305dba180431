public import Foundation
public import PassgateContract

/// An ephemeral key for Stripe's mobile SDK.
public struct StripeEphemeralKey: Sendable, Concealed {
    /// The key as Stripe made it, byte for byte: what `STPIssuingCardEphemeralKeyProvider` gives its completion, as JSON.
    public let ephemeralKey: Data
    /// The version that the key was made for.
    public let apiVersion: String
    /// The card at Stripe, `ic_…`.
    public let providerCardID: String
    /// When the key ends, as RFC 3339.
    public let expiresAt: String?

    /// The key as the dictionary that Stripe's SDK takes; nil where it is none.
    public var dictionary: [AnyHashable: Any]? {
        (try? JSONSerialization.jsonObject(with: ephemeralKey)) as? [AnyHashable: Any]
    }

    init(json: Data) throws {
        let members = try JSONDecoder().decode(Members.self, from: json)
        guard let key = RawJSON.member("ephemeral_key", of: json), key.first == UInt8(ascii: "{") else {
            throw HandoffFault.incomplete(.stripeEphemeralKey)
        }
        ephemeralKey = key
        apiVersion = members.apiVersion
        providerCardID = members.providerCardID
        expiresAt = members.expiresAt
    }

    private struct Members: Decodable {
        let apiVersion: String
        let providerCardID: String
        let expiresAt: String?

        enum CodingKeys: String, CodingKey {
            case apiVersion = "api_version"
            case providerCardID = "provider_card_id"
            case expiresAt = "expires_at"
        }
    }
}
