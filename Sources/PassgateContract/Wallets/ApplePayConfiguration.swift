/// What an app needs for `PKAddPaymentPassRequestConfiguration`.
public struct ApplePayConfiguration: Codable, Hashable, Sendable {
    /// The name on the card.
    public let cardholderName: String?
    /// The last digits of the card's number.
    public let primaryAccountSuffix: String
    /// What the card is called.
    public let localizedDescription: String?
    /// The network, such as `visa`.
    public let paymentNetwork: String
    /// PassKit's scheme, such as `ECC_V2`.
    public let encryptionScheme: String
    /// Which card it is on devices that have it. Never to be kept: it changes with the first provisioning.
    public let primaryAccountIdentifier: String?

    enum CodingKeys: String, CodingKey {
        case cardholderName = "cardholder_name"
        case primaryAccountSuffix = "primary_account_suffix"
        case localizedDescription = "localized_description"
        case paymentNetwork = "payment_network"
        case encryptionScheme = "encryption_scheme"
        case primaryAccountIdentifier = "primary_account_identifier"
    }
}
