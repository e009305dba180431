import ProviderKit
import Provisioning

/// Digital cards, as Checkout.com spells them.
extension CheckoutConfiguration {
    /// `GET /issuing/digital-cards/{digital_card}`
    func readDigitalCard(
        _ id: PathSegment, _ token: CheckoutAccessTokens.Token, deadline: ContinuousClock.Instant
    ) -> UpstreamRequest {
        .json(.get, "\(baseURL)/issuing/digital-cards/\(id)", headers: [.bearer(token.text)], deadline: deadline)
    }
}

extension UpstreamAnswer {
    /// The digital card that was asked for.
    func checkoutDigitalCard(_ id: String) throws(ProvisioningError) -> TokenSighting {
        guard body["id"]?.equals(id) == true, let status = body["status"]?.string else {
            throw violation("is not the digital card that was asked for, or has no status")
        }
        return TokenSighting(checkout: body, id: id, status: TokenStatus(checkout: status), rawStatus: status, at: nil)
    }
}

extension TokenStatus {
    /// A digital card's status. It has no word for a suspended one.
    init(checkout word: String) {
        switch word.lowercased() {
        case "active": self = .active
        case "inactive": self = .requested
        case "deleted": self = .deleted
        default: self = .unknown
        }
    }
}

extension TokenSighting {
    /// A digital card, read or told of.
    ///
    /// - Parameter moment: When what is told happened: it stands in where the card is not dated.
    init(checkout card: JSONView, id: String, status: TokenStatus, rawStatus: String, at moment: WrittenMoment?) {
        let dated = (card["provisioned_on"] ?? card["reprovisioned_on"])?.string.flatMap(
            WrittenMoment.init(rfc3339:))
        let created = dated ?? moment
        self.init(
            id: id, status: status, rawStatus: UpstreamReport(status: nil, code: rawStatus).code ?? "",
            wallet: Self.checkoutWallet(card["requestor"]), createdAt: created?.timestamp,
            precisionMilliseconds: created?.precisionMilliseconds ?? 1, providerCardID: card["card_id"]?.identifier,
            networkReference: card["scheme_card_id"]?.identifier,
            device: card["device"].flatMap {
                TokenDevice(kind: $0["type"]?.string, name: $0["device_name"]?.string)
            })
    }

    /// The wallet is no enumeration: it is read from the requestor's name, else from the ids that the networks gave it.
    private static func checkoutWallet(_ requestor: JSONView?) -> Wallet? {
        let name = (requestor?["name"]?.string ?? "").lowercased().filter(\.isLetter)
        switch name {
        case "applepay": return .applePay
        case "googlepay", "androidpay": return .googlePay
        case "samsungpay": return .samsungPay
        default: break
        }
        switch requestor?["id"]?.string {
        case "40010030273", "50110030273": return .applePay
        case "50120834693": return .googlePay
        case "40010043095": return .samsungPay
        default: return nil
        }
    }
}
