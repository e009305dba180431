import ProviderKit
import Provisioning

/// Requests, as Increase spells them.
///
/// `push_provision` is in no published API description: the page is its only contract.
extension IncreaseConfiguration {
    /// `POST /cards/{card}/push_provision`
    ///
    /// - Throws: `handshake_invalid` or `wallet_unsupported`, nothing sent, where the request is none that the descriptor
    ///   offers.
    func pushProvision(_ request: ProvisioningRequest) throws(ProvisioningError) -> UpstreamRequest {
        let card = try IncreaseProvider.descriptor.pathSegment(for: request.card)
        let channel = try IncreaseChannel(request)
        return .json(
            .post, "\(baseURL)/cards/\(card)/push_provision",
            headers: [authorization, .init("Idempotency-Key", request.idempotencyKey)],
            traceparent: request.traceparent, deadline: request.deadline
        ) { json in
            json.member("channel", channel.name)
            json.member("cardholder_name", request.cardholderName)
            json.member(channel.name, object: channel.write)
        }
    }

    /// `GET /cards/{card}`
    func readCard(_ card: CardBinding, deadline: ContinuousClock.Instant) throws(ProvisioningError) -> UpstreamRequest {
        let card = try IncreaseProvider.descriptor.pathSegment(for: card)
        return .json(.get, "\(baseURL)/cards/\(card)", headers: [authorization], deadline: deadline)
    }

    /// `GET /cards?limit=1`
    func listOneCard(deadline: ContinuousClock.Instant) -> UpstreamRequest {
        .json(.get, "\(baseURL)/cards?limit=1", headers: [authorization], deadline: deadline)
    }
}

/// Increase's channels, each with its handshake.
enum IncreaseChannel {
    case applePayInApp(ApplePayHandshake)
    case googlePayInApp(wallet: SecretText, device: SecretText, session: SecretText?)
    case googlePayWeb(wallet: SecretText?, device: SecretText?, session: SecretText)

    /// The channel that the request asks for.
    init(_ request: ProvisioningRequest) throws(ProvisioningError) {
        guard IncreaseProvider.descriptor.support(for: request.wallet, on: request.channel) != nil else {
            throw ProvisioningError(.walletUnsupported, outcome: .notSent)
        }
        switch (request.wallet, request.handshake) {
        case (.applePay, .applePay(let handshake)):
            self = .applePayInApp(handshake)
            return
        case (.googlePay, .googlePay(let google)) where request.channel == .inApp:
            if let wallet = google.walletID, let device = google.deviceID {
                self = .googlePayInApp(wallet: wallet, device: device, session: google.serverSessionID)
                return
            }
        case (.googlePay, .googlePay(let google)):
            if let session = google.serverSessionID {
                self = .googlePayWeb(wallet: google.walletID, device: google.deviceID, session: session)
                return
            }
        default: break
        }
        throw ProvisioningError(.handshakeInvalid, outcome: .notSent)
    }

    /// The channel's name, and that of its member in request and answer.
    var name: String {
        switch self {
        case .applePayInApp: "apple_pay_in_app"
        case .googlePayInApp: "google_pay_in_app"
        case .googlePayWeb: "google_pay_web"
        }
    }

    /// Writes the members of the handshake. What was not given is left out: Increase then gives one opaque card of two.
    func write(into json: inout JSONWriter) {
        switch self {
        case .applePayInApp(let handshake):
            json.member(
                "certificates",
                array: { json in
                    for certificate in handshake.certificates {
                        json.object { json in json.member("certificate", base64: SecretBytes(certificate)) }
                    }
                })
            json.member("nonce", base64: handshake.nonce)
            json.member("nonce_signature", base64: handshake.nonceSignature)
        case .googlePayInApp(let wallet, let device, let session):
            json.member("stable_hardware_identifier", device)
            json.member("wallet_identifier", wallet)
            if let session { json.member("server_session_identifier", session) }
        case .googlePayWeb(let wallet, let device, let session):
            json.member("server_session_identifier", session)
            if let device { json.member("public_device_identifier", device) }
            if let wallet { json.member("public_wallet_identifier", wallet) }
        }
    }
}

/// Answers, as Increase spells them.
extension UpstreamAnswer {
    /// The pass of an `apple_pay_in_app` answer.
    func increasePass() throws(ProvisioningError) -> ApplePayPass {
        try applePayPass(in: object("apple_pay_in_app"))
    }

    /// The opaque cards of a Google answer: both, or the one that the given identifiers allow.
    func increaseOpaqueCard(for request: ProvisioningRequest) throws(ProvisioningError) -> GooglePayOpaqueCard {
        let cards = try object(request.channel == .web ? "google_pay_web" : "google_pay_in_app")
        let tokenCard = try optionalText("token_service_provider_opaque_payment_card", in: cards)
        let accountCard = try optionalText("google_opaque_payment_card", in: cards)
        guard tokenCard != nil || accountCard != nil else { throw violation("has no opaque card") }
        let network = request.card.network
        return GooglePayOpaqueCard(
            tokenCard: tokenCard, accountCard: accountCard, network: network.googlePayNetwork(on: request.channel),
            tokenServiceProvider: network.googlePayTokenServiceProvider(on: request.channel),
            last4: request.card.last4, displayName: request.displayName)
    }

    /// What a card says of itself. Adding it by hand ends in a two-factor step, for which Increase needs a phone number
    /// or an e-mail address; the card's artwork may also come from the program, so its absence here forbids nothing.
    func increaseEligibility() throws(ProvisioningError) -> Eligibility {
        guard body["id"]?.string != nil, let status = body["status"]?.string else {
            throw violation("has no id or no status")
        }
        let wallet = body["digital_wallet"]
        let absent = ["phone", "email", "digital_card_profile_id"].filter { (wallet?[$0]?.string ?? "").isEmpty }
        let hasContact = !absent.contains("phone") || !absent.contains("email")
        let missing = absent.filter { !hasContact || $0 == "digital_card_profile_id" }
        let eligible: Bool? =
            switch status {
            case "active": true
            case "disabled", "canceled": false
            default: nil
            }
        return Eligibility(
            eligible: eligible, reason: eligible == true ? nil : UpstreamReport(status: nil, code: status).code,
            manualProvisioning: ManualProvisioning(available: hasContact, missing: missing))
    }
}
