public import Provisioning

/// Google's constants for a card's network: numbers in app, names on the web.
///
/// The networks and the token service providers are numbered differently. Domestic schemes have none here: which provider
/// tokenizes them cannot be told from the card.
///
/// Upstream reference: `com.google.android.gms.tapandpay.TapAndPay`. The web names other than Visa's are assumed.
extension CardNetwork {
    /// `CARD_NETWORK_…`; nil where it is not known.
    public func googlePayNetwork(on channel: WalletChannel) -> GooglePayOpaqueCard.Constant? {
        let numbers: [CardNetwork: Int] = [.amex: 1, .discover: 2, .mastercard: 3, .visa: 4]
        return numbers[self].map { number in
            channel == .web ? .name("CARD_NETWORK_\(description.uppercased())") : .number(number)
        }
    }

    /// `TOKEN_PROVIDER_…`; nil where it is not known.
    public func googlePayTokenServiceProvider(on channel: WalletChannel) -> GooglePayOpaqueCard.Constant? {
        let numbers: [CardNetwork: Int] = [.amex: 2, .mastercard: 3, .visa: 4, .discover: 5]
        return numbers[self].map { number in
            channel == .web ? .name("TOKEN_PROVIDER_\(description.uppercased())") : .number(number)
        }
    }
}
