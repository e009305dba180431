public import PassgateContract

/// What the Thales TPC SDK needs: the encrypted card, and a code for one wallet.
public struct TPCAuthorization: Sendable, Codable, Concealed {
    /// The card, encrypted for Thales.
    public let encryptedPayload: String
    /// The signed code.
    public let authorizationCode: String
    /// When the code ends, as RFC 3339.
    public let expiresAt: String
    /// The scheme's name for the SDK, such as `VISA`.
    public let scheme: String
    /// The last four digits.
    public let primaryAccountSuffix: String
    /// The name on the card.
    public let cardholderName: String
    /// The product id that domestic schemes need.
    public let productID: String?
    /// PassKit's primary account identifier, where it is known.
    public let primaryAccountIdentifier: String?

    private enum CodingKeys: String, CodingKey {
        case scheme
        case encryptedPayload = "encrypted_payload"
        case authorizationCode = "authorization_code"
        case expiresAt = "expires_at"
        case primaryAccountSuffix = "primary_account_suffix"
        case cardholderName = "cardholder_name"
        case productID = "product_id"
        case primaryAccountIdentifier = "primary_account_identifier"
    }
}
