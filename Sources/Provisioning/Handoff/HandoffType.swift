/// The kinds of handoff that an app build may know.
public enum HandoffType: String, Sendable, CaseIterable, Hashable {
    /// Encrypted pass data for `PKAddPaymentPassRequest`.
    case applePayPass = "apple_pay_pass"
    /// Opaque payment cards for Google's push provisioning.
    case googlePayOpaqueCard = "google_pay_opaque_card"
    /// A Stripe ephemeral key, for Stripe's mobile SDK.
    case stripeEphemeralKey = "stripe_ephemeral_key"
    /// A Thales D1 authorization, for Checkout.com's mobile SDK.
    case d1Authorization = "d1_authorization"
    /// An encrypted card and an authorization code, for the Thales TPC SDK.
    case tpcAuthorization = "tpc_authorization"
}
