/// The wallet that a card is added to.
public enum Wallet: OpenWord {
    /// Apple Pay.
    case applePay
    /// Google Pay.
    case googlePay
    /// Samsung Pay: a token's wallet only.
    case samsungPay
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [Wallet] = [
        .applePay,
        .googlePay,
        .samsungPay,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .applePay: "apple_pay"
        case .googlePay: "google_pay"
        case .samsungPay: "samsung_pay"
        case .other(let word): word
        }
    }
}
