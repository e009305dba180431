import ProviderKit
import Provisioning

/// Requests, as Imprint spells them.
///
/// The provisioning call is in no published API description: the page is its only contract.
extension ImprintConfiguration {
    /// `POST /v2/payment_methods/{payment_method}/provision/{wallet}`
    ///
    /// Imprint documents no idempotency key, so none is sent.
    ///
    /// - Throws: `handshake_invalid` or `wallet_unsupported`, nothing sent, where the request is none that the descriptor
    ///   offers.
    func provision(_ request: ProvisioningRequest) throws(ProvisioningError) -> UpstreamRequest {
        let method = try ImprintProvider.descriptor.pathSegment(for: request.card)
        let wallet = try ImprintWallet(request)
        return .json(
            .post, "\(baseURL)/v2/payment_methods/\(method)/provision/\(wallet.name)", headers: headers,
            traceparent: request.traceparent, deadline: request.deadline, body: wallet.write)
    }

    /// `GET /v2/payment_methods/{payment_method}`
    func readPaymentMethod(_ card: CardBinding, deadline: ContinuousClock.Instant) throws(ProvisioningError)
        -> UpstreamRequest
    {
        let method = try ImprintProvider.descriptor.pathSegment(for: card)
        return .json(.get, "\(baseURL)/v2/payment_methods/\(method)", headers: headers, deadline: deadline)
    }
}

/// Imprint's wallets, each with its handshake.
enum ImprintWallet {
    case applePay(ApplePayHandshake)
    case googlePay(wallet: SecretText, device: SecretText)

    /// The wallet that the request asks for.
    init(_ request: ProvisioningRequest) throws(ProvisioningError) {
        guard ImprintProvider.descriptor.support(for: request.wallet, on: request.channel) != nil else {
            throw ProvisioningError(.walletUnsupported, outcome: .notSent)
        }
        switch (request.wallet, request.handshake) {
        case (.applePay, .applePay(let handshake)):
            self = .applePay(handshake)
            return
        case (.googlePay, .googlePay(let google)):
            if let wallet = google.walletID, let device = google.deviceID {
                self = .googlePay(wallet: wallet, device: device)
                return
            }
        default: break
        }
        throw ProvisioningError(.handshakeInvalid, outcome: .notSent)
    }

    /// The wallet's segment in the path.
    var name: String {
        switch self {
        case .applePay: "apple_pay"
        case .googlePay: "google_pay"
        }
    }

    /// Writes the members of the handshake: certificates as plain texts, the leaf first. Imprint has no place for a
    /// session of Google's.
    func write(into json: inout JSONWriter) {
        switch self {
        case .applePay(let handshake):
            json.member(
                "certificates",
                array: { json in
                    for certificate in handshake.certificates { json.value(base64: SecretBytes(certificate)) }
                })
            json.member("nonce", base64: handshake.nonce)
            json.member("nonce_signature", base64: handshake.nonceSignature)
        case .googlePay(let wallet, let device):
            json.member("wallet_id", wallet)
            json.member("device_id", device)
        }
    }
}

/// Answers, as Imprint spells them. Of a payment method, `card.pci_details` (number and code, for partners that may see
/// them) is never read: it goes with the answer's buffer, which is wiped.
extension UpstreamAnswer {
    /// The pass of an `apple_pay` answer.
    func imprintPass() throws(ProvisioningError) -> ApplePayPass {
        try applePayPass(in: object("provisioning_payload"))
    }

    /// The opaque card of a `google_pay` answer. Its `network` may be absent and its `wallet_type` is no token service
    /// provider, so Google's constants follow from the binding, as the page advises.
    func imprintOpaqueCard(for request: ProvisioningRequest) throws(ProvisioningError) -> GooglePayOpaqueCard {
        let payload = try object("provisioning_payload")
        let network = request.card.network
        return GooglePayOpaqueCard(
            tokenCard: try text("opaque_payment_card", in: payload), accountCard: nil,
            network: network.googlePayNetwork(on: request.channel),
            tokenServiceProvider: network.googlePayTokenServiceProvider(on: request.channel),
            last4: request.card.last4, displayName: request.displayName)
    }

    /// What a payment method says of itself. It tells nothing of the cardholder's phone or e-mail, so of adding the card
    /// by hand nothing is known.
    func imprintEligibility() throws(ProvisioningError) -> Eligibility {
        guard body["id"]?.string != nil, let type = body["type"]?.string, let status = body["status"]?.string else {
            throw violation("has no id, no type or no status")
        }
        let verdicts = [
            (word: type, eligible: ["CARD": true, "BANK_ACCOUNT": false, "LOAN": false][type]),
            (word: status, eligible: ["ACTIVE": true, "INACTIVE": false, "CANCELED": false][status]),
        ]
        let objection = verdicts.first { $0.eligible == false } ?? verdicts.first { $0.eligible == nil }
        guard let objection else { return Eligibility(eligible: true) }
        return Eligibility(
            eligible: objection.eligible, reason: UpstreamReport(status: nil, code: objection.word).code)
    }

    /// Apple's entries among the payment method's tokens that are dated at that moment or later; without one, all of them.
    func imprintTokens(createdFrom: Timestamp?) throws(ProvisioningError) -> [TokenSighting] {
        guard let method = body["id"]?.string else { throw violation("has no id") }
        return (body["card"]?["tokens"]?.elements ?? []).compactMap { entry in
            guard let sighting = TokenSighting(imprint: entry, of: method) else { return nil }
            guard let createdFrom else { return sighting }
            let created = entry["created_at"]?.string.flatMap(WrittenMoment.init(rfc3339:))
            return created?.isAtOrAfter(createdFrom) == true ? sighting : nil
        }
    }
}

extension TokenSighting {
    /// An entry of `tokens`; nil where it is not Apple's, or has no id. Entries have no status: that the token is there is
    /// all they say.
    init?(imprint entry: JSONView, of method: String) {
        guard entry["type"]?.equals("APPLE_WALLET") == true, let id = entry["token"]?.identifier else { return nil }
        let created = entry["created_at"]?.string.flatMap(WrittenMoment.init(rfc3339:))
        self.init(
            id: id, status: .unknown, rawStatus: "", wallet: .applePay, createdAt: created?.timestamp,
            precisionMilliseconds: created?.precisionMilliseconds ?? 1, providerCardID: method,
            networkReference: entry["pan_reference_id"]?.identifier)
    }
}
