public import ProviderKit
public import Provisioning

/// Checkout.com, whose cards are put into wallets by Thales D1: the gateway signs an authorization that Checkout.com's
/// SDK in the app shows to D1. No call is made for it.
///
/// Upstream reference: <https://www.checkout.com/docs/card-issuing/manage-cards/add-a-card-to-a-digital-wallet>.
public struct CheckoutProvider: ConfigurableProvider, CardOwnership, WalletCredentials {
    /// Who Checkout.com is. The SDK makes the handshake, so none comes here; every authorization is a new one.
    public static let descriptor = ProviderDescriptor(
        id: "checkout", displayName: "Checkout.com",
        cardIDPattern: .prefixed(["crd_"], .lowercaseAlphanumeric, length: 26...26), tokenFeed: .webhooks,
        eligibilityGap: .localSigning,
        wallets: [.applePay, .googlePay].map { wallet in
            WalletSupport(
                wallet: wallet, channel: .inApp, handoff: .d1Authorization, handshake: .none, repeatRule: .once,
                isSingleUse: true)
        })

    /// Reading the card's state is all that the gateway can make a token for.
    public static let credentialPurposes: Set<WalletCredentialPurpose> = [.state]

    /// What a cardholder's id looks like.
    static let cardholderIDPattern = IdentifierPattern.prefixed(["crh_"], .lowercaseAlphanumeric, length: 26...26)

    let configuration: CheckoutConfiguration
    let api: Upstream
    let kit: AdapterKit
    private let mint: D1TokenMint
    private let accessTokens: CheckoutAccessTokens

    /// Makes the adapter of a connection, or nil where its settings forbid it.
    public init?(settings: ConnectionSettings, kit: AdapterKit) {
        guard let configuration = CheckoutConfiguration(settings, kit: kit) else { return nil }
        self.configuration = configuration
        mint = D1TokenMint(configuration.d1, kit: kit)
        api = Upstream(kit, failures: .checkout)
        accessTokens = CheckoutAccessTokens(configuration, kit: kit)
        self.kit = kit
    }

    /// A given cardholder id must be one of Checkout.com's; that it is the right one, ``cardholderID(of:deadline:)`` says.
    public func check(_ binding: CardBinding) throws(ProvisioningError) {
        guard let id = binding.providerCardholderID, !Self.cardholderIDPattern.matches(id) else { return }
        throw ProvisioningError(
            .invalidRequest, outcome: .notSent, pointer: "/provider_cardholder_id",
            detail: "is not of the form of Checkout.com's cardholder ids")
    }

    /// Signs an authorization for the card's cardholder. Nothing is sent.
    public func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        guard Self.descriptor.support(for: request.wallet, on: request.channel) != nil else {
            throw ProvisioningError(.walletUnsupported, outcome: .notSent)
        }
        let cardholderID = try cardholderID(in: request.card)
        let token = try mint.token(for: cardholderID)
        let d1 = configuration.d1
        return .d1Authorization(
            D1Authorization(
                jwt: token.jwt, expiresAt: token.expiresAt, providerCardID: request.card.providerCardID,
                cardholderID: cardholderID, issuerID: d1.issuerID, serviceURL: d1.serviceURL,
                digitalCardURL: d1.digitalCardURL, serviceRSAModulus: d1.serviceRSAModulus,
                serviceRSAExponent: d1.serviceRSAExponent))
    }

    /// Reads the card. An active one can be added; of a status that nobody knows, neither is claimed. Whether it is in the
    /// wallet already, only the SDK knows.
    public func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        let card = try await read(card, deadline: deadline)
        let reason = UpstreamReport(status: nil, code: card.status).code
        let eligible: Bool? =
            switch card.status {
            case "active": true
            case "inactive", "suspended", "revoked": false
            default: nil
            }
        return Eligibility(
            eligible: eligible, reason: eligible == true ? nil : reason, providerCardholderID: card.cardholderID)
    }

    /// Reads the card, and tells whose it is.
    public func cardholderID(of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> String
    {
        try await read(card, deadline: deadline).cardholderID
    }

    /// A fresh authorization for reading the card's state in the wallets: D1 takes no token twice.
    public func credential(_ request: WalletCredentialRequest) async throws(ProvisioningError) -> WalletCredential {
        guard Self.credentialPurposes.contains(request.purpose) else {
            throw ProvisioningError(.operationUnsupported, outcome: .notSent)
        }
        let token = try mint.token(for: cardholderID(in: request.card))
        return WalletCredential(purpose: .state, token: token.jwt, expiresAt: token.expiresAt)
    }

    /// The cardholder that the gateway learnt when the card was bound. Both ids are checked, because both go to the app.
    private func cardholderID(in card: CardBinding) throws(ProvisioningError) -> String {
        _ = try Self.descriptor.pathSegment(for: card)
        guard let id = card.providerCardholderID, Self.cardholderIDPattern.matches(id) else {
            throw ProvisioningError(
                .providerCardNotFound, outcome: .notSent, detail: "The card's cardholder at Checkout.com is not known.")
        }
        return id
    }

    func read(_ card: CardBinding, deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> CheckoutCard
    {
        let path = try Self.descriptor.pathSegment(for: card)
        return try await authorized(until: deadline) { (token) throws(ProvisioningError) in
            try await api.send(configuration.readCard(path, token, deadline: deadline)).checkoutCard()
        }
    }

    /// Makes a call with an access token, and once more with a new one where the one at hand is refused.
    func authorized<Answer>(
        until deadline: ContinuousClock.Instant,
        _ call: (CheckoutAccessTokens.Token) async throws(ProvisioningError) -> Answer
    ) async throws(ProvisioningError) -> Answer {
        let token = try await accessTokens.token(until: deadline)
        do throws(ProvisioningError) {
            return try await call(token)
        } catch {
            guard error.upstream?.status == 401 else { throw error }
        }
        return try await call(try await accessTokens.token(until: deadline, insteadOf: token))
    }
}
