/// The wallet a card is added to.
public enum Wallet: String, Sendable, CaseIterable, Hashable {
    /// Apple Pay on iPhone, Apple Watch, iPad and Mac.
    case applePay = "apple_pay"
    /// Google Pay (Google Wallet) on Android phones and watches, and on the web.
    case googlePay = "google_pay"
    /// Samsung Pay. A token's wallet only: nothing here provisions to it.
    case samsungPay = "samsung_pay"
}
