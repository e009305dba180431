public import PassgateContract

/// What Checkout.com's mobile SDK needs to add the card through Thales D1.
public struct D1Authorization: Sendable, Codable, Concealed {
    /// The signed authorization.
    public let jwt: String
    /// When it ends, as RFC 3339.
    public let expiresAt: String
    /// The card at Checkout.com.
    public let providerCardID: String
    /// The cardholder at Checkout.com.
    public let cardholderID: String
    /// The issuer id from onboarding.
    public let issuerID: String
    /// D1's service URL.
    public let serviceURL: String
    /// D1's digital card URL.
    public let digitalCardURL: String
    /// The modulus of D1's service key.
    public let serviceRSAModulus: String
    /// The exponent of D1's service key.
    public let serviceRSAExponent: String

    private enum CodingKeys: String, CodingKey {
        case jwt
        case expiresAt = "expires_at"
        case providerCardID = "provider_card_id"
        case cardholderID = "cardholder_id"
        case issuerID = "issuer_id"
        case serviceURL = "service_url"
        case digitalCardURL = "digital_card_url"
        case serviceRSAModulus = "service_rsa_modulus"
        case serviceRSAExponent = "service_rsa_exponent"
    }
}
