/// The kinds of handoff.
public enum HandoffType: OpenWord {
    /// Encrypted pass data, for `PKAddPaymentPassRequest`.
    case applePayPass
    /// Opaque payment cards, for Google's push provisioning.
    case googlePayOpaqueCard
    /// An ephemeral key, for Stripe's mobile SDK.
    case stripeEphemeralKey
    /// A Thales D1 authorization, for Checkout.com's mobile SDK.
    case d1Authorization
    /// An encrypted card and an authorization code, for the Thales TPC SDK.
    case tpcAuthorization
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [HandoffType] = [
        .applePayPass,
        .googlePayOpaqueCard,
        .stripeEphemeralKey,
        .d1Authorization,
        .tpcAuthorization,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .applePayPass: "apple_pay_pass"
        case .googlePayOpaqueCard: "google_pay_opaque_card"
        case .stripeEphemeralKey: "stripe_ephemeral_key"
        case .d1Authorization: "d1_authorization"
        case .tpcAuthorization: "tpc_authorization"
        case .other(let word): word
        }
    }
}
