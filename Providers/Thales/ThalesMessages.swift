import ProviderKit
import Provisioning
import SecretMemory

/// The call to the platform's vault.
extension ThalesConfiguration.CardSource {
    /// `GET` of the card.
    func readCard(_ card: PathSegment, traceparent: String?, deadline: ContinuousClock.Instant) -> UpstreamRequest {
        .json(
            .get, "\(before)\(card)\(after)", headers: [authorization], traceparent: traceparent,
            deadline: deadline)
    }
}

/// What the vault answers: `{"pan","expiry":"MMYY","cardholder_name"}`.
extension UpstreamAnswer {
    /// The card in a vault's answer.
    ///
    /// - Throws: `provider_contract_violation`, which names the member and never quotes it.
    func vaultCard() throws(ProvisioningError) -> VaultCard {
        let number = try text("pan", in: body)
        let expiry = try text("expiry", in: body)
        let name = try text("cardholder_name", in: body)
        guard number.bytes.withSpan(VaultCard.isNumber) else { throw violation("has no card number in pan") }
        guard expiry.bytes.withSpan(VaultCard.isExpiry) else { throw violation("has no MMYY in expiry") }
        return VaultCard(number: number, expiry: expiry, cardholderName: name)
    }
}

/// What Thales decrypts.
///
/// Upstream reference: `card-data-encryption-pkcs-7-format` of the classic push provisioning guide.
extension VaultCard {
    /// The plain payload. `issuerCardRefId` is the binding's card id, and so is the code's `sub`.
    func payload(for card: CardBinding) -> SecretBytes {
        let name = card.network == .mastercard ? Self.shortened(cardholderName, to: 27) : cardholderName
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("issuerCardRefId", card.providerCardID)
            json.member("fpan", number)
            json.member("exp", expiry)
            json.member("cardHolderName", name)
        }
        return json.finish()
    }

    /// The name within the length that Mastercard takes, in UTF-16 units, so that no way of counting finds more.
    private static func shortened(_ name: SecretText, to limit: Int) -> SecretText {
        var text = name.reveal()
        while text.utf16.count > limit { text.removeLast() }
        return SecretText(text)
    }
}

/// The names of schemes for the SDK's `schemeString`: `VISA`, `MASTERCARD`, `AMEX`, `DISCOVER`. That a domestic scheme is
/// written the same way is assumed.
extension CardNetwork {
    var thalesScheme: String { description.uppercased() }
}

/// A code's audience: one code is for one wallet.
///
/// Upstream reference: `authorization-code-jwt-format` of the classic push provisioning guide.
extension Wallet {
    var thalesAudience: String {
        switch self {
        case .applePay: "APPLE_PAY"
        case .googlePay: "GOOGLE_PAY"
        case .samsungPay: "SAMSUNG_PAY"
        }
    }
}
