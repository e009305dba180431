public import SecretMemory

/// What the Thales TPC SDK needs: the encrypted card and a code for one wallet.
public struct TPCAuthorization: Sendable {
    /// The PKCS#7 envelope in the configured text form.
    public let encryptedPayload: SecretText
    /// The signed code.
    public let authorizationCode: SecretText
    /// When the code ends.
    public let expiresAt: Timestamp
    /// The scheme's name for the SDK, such as `VISA`.
    public let scheme: String
    /// The last four digits, for PassKit.
    public let primaryAccountSuffix: String
    /// The cardholder's name as on the card.
    public let cardholderName: String
    /// The product id that domestic schemes need.
    public let productID: String?
    /// PassKit's primary account identifier, where it is known.
    public let primaryAccountIdentifier: String?

    /// Makes an authorization of its members.
    public init(
        encryptedPayload: SecretText, authorizationCode: SecretText, expiresAt: Timestamp, scheme: String,
        primaryAccountSuffix: String, cardholderName: String, productID: String?, primaryAccountIdentifier: String?
    ) {
        self.encryptedPayload = encryptedPayload
        self.authorizationCode = authorizationCode
        self.expiresAt = expiresAt
        self.scheme = scheme
        self.primaryAccountSuffix = primaryAccountSuffix
        self.cardholderName = cardholderName
        self.productID = productID
        self.primaryAccountIdentifier = primaryAccountIdentifier
    }
}
