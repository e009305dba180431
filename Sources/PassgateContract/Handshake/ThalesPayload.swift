/// A card that the platform has encrypted for Thales itself. It is never shown.
public struct ThalesPayload: Codable, Hashable, Sendable, Concealed {
    /// The PKCS#7 envelope in the connection's text form.
    public var encryptedPayload: String

    /// Makes it of its member.
    public init(encryptedPayload: String) { self.encryptedPayload = encryptedPayload }

    enum CodingKeys: String, CodingKey {
        case encryptedPayload = "encrypted_payload"
    }
}
