import ProviderKit
import Provisioning

/// Requests, as Stripe spells them. The version is a header, exactly one, and never a member of a body.
extension StripeConfiguration {
    /// `POST /v1/ephemeral_keys`
    ///
    /// - Throws: `client_version_required`, `invalid_request` or `wallet_unsupported`, nothing sent.
    func createKey(_ request: ProvisioningRequest) throws(ProvisioningError) -> UpstreamRequest {
        guard StripeProvider.descriptor.support(for: request.wallet, on: request.channel) != nil else {
            throw ProvisioningError(.walletUnsupported, outcome: .notSent)
        }
        let version = try StripeAPIVersion(askedIn: request)
        let card = try StripeProvider.descriptor.pathSegment(for: request.card)
        return .form(
            "\(baseURL)/v1/ephemeral_keys", members: [("issuing_card", SecretText(card.description))],
            headers: headers(version) + [.init("Idempotency-Key", request.idempotencyKey)],
            traceparent: request.traceparent, deadline: request.deadline)
    }

    /// `GET /v1/issuing/cards/{card}`
    func readCard(_ card: CardBinding, deadline: ContinuousClock.Instant) throws(ProvisioningError) -> UpstreamRequest {
        let card = try StripeProvider.descriptor.pathSegment(for: card)
        return .json(.get, "\(baseURL)/v1/issuing/cards/\(card)", headers: headers(version), deadline: deadline)
    }

    /// `GET /v1/issuing/cards?limit=1`
    func listOneCard(deadline: ContinuousClock.Instant) -> UpstreamRequest {
        .json(.get, "\(baseURL)/v1/issuing/cards?limit=1", headers: headers(version), deadline: deadline)
    }

    func headers(_ version: StripeAPIVersion) -> [UpstreamRequest.Header] {
        let account = account.map { [UpstreamRequest.Header("Stripe-Account", $0)] } ?? []
        return [authorization, .init("Stripe-Version", version.description)] + account
    }
}

/// Answers, as Stripe spells them.
extension UpstreamAnswer {
    /// The key as it came, byte for byte: the SDKs read members that no schema declares, and reject a key without them.
    func stripeKey(for request: ProvisioningRequest) throws(ProvisioningError) -> StripeEphemeralKey {
        let version = try StripeAPIVersion(askedIn: request)
        guard body["object"]?.equals("ephemeral_key") == true else { throw violation("is no ephemeral_key") }
        _ = try text("secret", in: body)
        let expires = body["expires"]?.integer.flatMap(Int64.init(exactly:))
        let isTime = expires.map { (0...Self.lastSecond).contains($0) } ?? false
        return StripeEphemeralKey(
            ephemeralKey: rawBody, apiVersion: version.description, providerCardID: request.card.providerCardID,
            expiresAt: isTime ? expires.map { Timestamp(seconds: $0) } : nil)
    }

    /// What a card says of itself and of the wallet. `eligible` alone is not enough: it stays true of a canceled card.
    func stripeEligibility(for wallet: Wallet) throws(ProvisioningError) -> Eligibility {
        guard body["object"]?.equals("issuing.card") == true, let status = body["status"]?.string else {
            throw violation("is no issuing.card with a status")
        }
        let wallets = try optionalObject("wallets", in: body)
        let claim = try wallets.flatMap { (wallets) throws(ProvisioningError) in
            try optionalObject(wallet.rawValue, in: wallets)
        }
        let isAllowed = claim?["eligible"]
        guard isAllowed?.bool != nil || isAllowed?.isNull ?? true else { throw violation("has no truth in eligible") }
        let identifier = wallets?["primary_account_identifier"]
        guard identifier?.string != nil || identifier?.isNull ?? true else {
            throw violation("has no text in primary_account_identifier")
        }
        var answer = Eligibility(
            eligible: nil, primaryAccountIdentifier: identifier?.string, manualProvisioning: stripeContact)
        switch (status, isAllowed?.bool) {
        case ("inactive", _), ("canceled", _):
            answer.eligible = false
            answer.reason = status
        case (_, false?):
            answer.eligible = false
            answer.reason = word(claim?["ineligible_reason"]?.string) ?? ProblemCode.cardIneligible.rawValue
        case ("active", let isAllowed): answer.eligible = isAllowed
        default: answer.reason = word(status)
        }
        return answer
    }

    /// Whom Stripe could send the verification code of a card that is typed in: one contact is enough.
    private var stripeContact: ManualProvisioning {
        guard let cardholder = body["cardholder"], cardholder.kind == .object else {
            return ManualProvisioning(available: nil)
        }
        let contacts = [("phone", "phone_number"), ("email", "email")]
        let missing = contacts.filter { (cardholder[$0.1]?.string ?? "").isEmpty }.map(\.0)
        let isReachable = missing.count < contacts.count
        return ManualProvisioning(available: isReachable, missing: isReachable ? [] : missing)
    }

    private func optionalObject(_ name: String, in parent: JSONView) throws(ProvisioningError) -> JSONView? {
        guard let value = parent[name], !value.isNull else { return nil }
        guard value.kind == .object else { throw violation("has no object in \(name)") }
        return value
    }

    /// The text where it is a word, as reasons and codes are.
    private func word(_ text: String?) -> String? { UpstreamReport(status: nil, code: text).code }

    /// The end of the year 9999: what is later is no time.
    private static let lastSecond: Int64 = 253_402_300_799
}
