import ProviderKit
import Provisioning

/// Requests, as Acme spells them.
extension AcmeConfiguration {
    /// `POST /cards/{card}/google_push`
    ///
    /// - Throws: `handshake_invalid`, nothing sent, without Google's ids.
    func push(_ request: ProvisioningRequest) throws(ProvisioningError) -> UpstreamRequest {
        let card = try AcmeProvider.descriptor.pathSegment(for: request.card)
        guard case .googlePay(let google) = request.handshake, let wallet = google.walletID,
            let device = google.deviceID
        else { throw ProvisioningError(.handshakeInvalid, outcome: .notSent) }
        return .json(
            .post, "\(baseURL)/cards/\(card)/google_push",
            headers: [authorization, .init("Idempotency-Key", request.idempotencyKey)],
            traceparent: request.traceparent, deadline: request.deadline
        ) { json in
            json.member("wallet", wallet)
            json.member("device", device)
            if let session = google.serverSessionID { json.member("session", session) }
        }
    }

    /// `GET /cards/{card}`
    func readCard(_ card: CardBinding, deadline: ContinuousClock.Instant) throws(ProvisioningError) -> UpstreamRequest {
        let card = try AcmeProvider.descriptor.pathSegment(for: card)
        return .json(.get, "\(baseURL)/cards/\(card)", headers: [authorization], deadline: deadline)
    }

    /// `GET /cards?limit=1`
    func listOneCard(deadline: ContinuousClock.Instant) -> UpstreamRequest {
        .json(.get, "\(baseURL)/cards?limit=1", headers: [authorization], deadline: deadline)
    }
}

/// Answers, as Acme spells them.
extension UpstreamAnswer {
    /// The opaque cards of a push.
    func acmeCards(for request: ProvisioningRequest) throws(ProvisioningError) -> GooglePayOpaqueCard {
        let network = request.card.network
        return GooglePayOpaqueCard(
            tokenCard: try text("device_card", in: body), accountCard: try optionalText("account_card", in: body),
            network: network.googlePayNetwork(on: request.channel),
            tokenServiceProvider: network.googlePayTokenServiceProvider(on: request.channel),
            last4: request.card.last4, displayName: request.displayName)
    }

    /// What a card says of itself. Of a status that nobody knows, neither is claimed.
    func acmeEligibility() throws(ProvisioningError) -> Eligibility {
        guard body["id"]?.string != nil, let status = body["status"]?.string else {
            throw violation("has no id or no status")
        }
        let word = UpstreamReport(status: nil, code: status).code
        return switch status {
        case "active": Eligibility(eligible: true)
        case "blocked": Eligibility(eligible: false, reason: word)
        default: Eligibility(eligible: nil, reason: word)
        }
    }
}
