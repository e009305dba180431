public import SecretMemory

/// What Checkout.com's mobile SDK needs to provision through Thales D1.
public struct D1Authorization: Sendable {
    /// The signed authorization.
    public let jwt: SecretText
    /// When it ends.
    public let expiresAt: Timestamp
    /// The card at Checkout.com.
    public let providerCardID: String
    /// The cardholder at Checkout.com.
    public let cardholderID: String
    /// The issuer id from onboarding.
    public let issuerID: String
    /// D1's service URL for the SDK.
    public let serviceURL: String
    /// D1's digital card URL for the SDK.
    public let digitalCardURL: String
    /// The modulus of D1's service key, as onboarding gives it.
    public let serviceRSAModulus: String
    /// The exponent of D1's service key, as onboarding gives it.
    public let serviceRSAExponent: String

    /// Makes an authorization of its members.
    public init(
        jwt: SecretText, expiresAt: Timestamp, providerCardID: String, cardholderID: String, issuerID: String,
        serviceURL: String, digitalCardURL: String, serviceRSAModulus: String, serviceRSAExponent: String
    ) {
        self.jwt = jwt
        self.expiresAt = expiresAt
        self.providerCardID = providerCardID
        self.cardholderID = cardholderID
        self.issuerID = issuerID
        self.serviceURL = serviceURL
        self.digitalCardURL = digitalCardURL
        self.serviceRSAModulus = serviceRSAModulus
        self.serviceRSAExponent = serviceRSAExponent
    }
}
