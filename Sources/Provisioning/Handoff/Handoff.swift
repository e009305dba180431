/// What the app needs to finish adding the card. It is seen once: never stored, cached, logged or traced.
public enum Handoff: Sendable {
    /// For `PKAddPaymentPassRequest`.
    case applePayPass(ApplePayPass)
    /// For Google's push provisioning.
    case googlePayOpaqueCard(GooglePayOpaqueCard)
    /// For Stripe's mobile SDK.
    case stripeEphemeralKey(StripeEphemeralKey)
    /// For Checkout.com's mobile SDK, over Thales D1.
    case d1Authorization(D1Authorization)
    /// For the Thales TPC SDK.
    case tpcAuthorization(TPCAuthorization)

    /// The kind of this handoff.
    public var type: HandoffType {
        switch self {
        case .applePayPass: .applePayPass
        case .googlePayOpaqueCard: .googlePayOpaqueCard
        case .stripeEphemeralKey: .stripeEphemeralKey
        case .d1Authorization: .d1Authorization
        case .tpcAuthorization: .tpcAuthorization
        }
    }

    /// When the handoff stops working, where that is known.
    public var expiresAt: Timestamp? {
        switch self {
        case .applePayPass, .googlePayOpaqueCard: nil
        case .stripeEphemeralKey(let key): key.expiresAt
        case .d1Authorization(let authorization): authorization.expiresAt
        case .tpcAuthorization(let authorization): authorization.expiresAt
        }
    }
}
