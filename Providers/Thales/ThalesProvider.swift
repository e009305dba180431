public import ProviderKit
public import Provisioning
import SecretMemory

/// Thales classic push provisioning (TPC): an encrypted card and a signed code, for the Thales SDK in the app.
///
/// The gateway makes both by itself, and calls nothing at Thales. The card's data comes from the platform's vault, where
/// one is configured, or comes encrypted from the platform, which then answers for the `issuerCardRefId` inside.
///
/// Upstream reference: <https://docs.payments.thalescloud.io/classic-push-provisioning>.
public struct ThalesProvider: ConfigurableProvider {
    /// Who Thales is. A code is new every time, and reading the vault spends nothing.
    public static let descriptor = ProviderDescriptor(
        id: "thales", displayName: "Thales", cardIDPattern: .prefixed([""], .token, length: 1...48), tokenFeed: .none,
        eligibilityGap: .noEligibilityCall,
        wallets: [Wallet.applePay, .googlePay].map { wallet in
            WalletSupport(
                wallet: wallet, channel: .inApp, handoff: .tpcAuthorization, handshake: .none, repeatRule: .once,
                isSingleUse: false)
        })

    let configuration: ThalesConfiguration
    let cryptography: any AdapterCryptography
    let clock: any WallClock
    let vault: Upstream

    /// Makes the adapter of a connection, or nil where its settings forbid it.
    public init?(settings: ConnectionSettings, kit: AdapterKit) {
        guard let configuration = ThalesConfiguration(settings, kit: kit) else { return nil }
        self.configuration = configuration
        cryptography = kit.cryptography
        clock = kit.clock
        vault = Upstream(kit, failures: .cardVault)
    }

    /// A domestic scheme needs its product id.
    public func check(_ binding: CardBinding) throws(ProvisioningError) {
        guard binding.network.isDomestic, binding.productID?.isEmpty ?? true else { return }
        throw ProvisioningError(
            .invalidRequest, outcome: .notSent, pointer: "/product_id",
            detail: "is missing; a domestic scheme needs it at Thales")
    }

    /// The card's data must come from somewhere, and what the platform encrypted must be an envelope.
    public func check(_ request: ProvisioningRequest) throws(ProvisioningError) {
        if let given = request.encryptedPayload {
            _ = try ThalesEnvelope(given: given)
        } else if configuration.cardSource == nil {
            throw ProvisioningError(
                .invalidRequest, outcome: .notSent, pointer: ThalesEnvelope.pointer,
                detail: "is missing; the connection has no card_source to read the card from")
        }
    }

    /// Encrypts the card, or passes on what the platform encrypted, and signs the code for the wallet.
    public func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        guard Self.descriptor.support(for: request.wallet, on: request.channel) != nil else {
            throw ProvisioningError(.walletUnsupported, outcome: .notSent)
        }
        let payload = try await envelope(for: request)
        let code = try authorizationCode(subject: request.card.providerCardID, wallet: request.wallet)
        return .tpcAuthorization(
            TPCAuthorization(
                encryptedPayload: payload.text(in: configuration.payloadForm), authorizationCode: code.token,
                expiresAt: code.expiresAt, scheme: request.card.network.thalesScheme,
                primaryAccountSuffix: request.card.last4, cardholderName: request.cardholderName,
                productID: request.card.productID, primaryAccountIdentifier: nil))
    }

    /// Thales has no call that says so: every bound card is taken for eligible, and the SDK in the app knows better.
    public func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        Eligibility(eligible: true)
    }

    private func envelope(for request: ProvisioningRequest) async throws(ProvisioningError) -> ThalesEnvelope {
        let card = try Self.descriptor.pathSegment(for: request.card)
        if let given = request.encryptedPayload { return try ThalesEnvelope(given: given) }
        guard let source = configuration.cardSource else {
            throw ProvisioningError(.invalidRequest, outcome: .notSent, pointer: ThalesEnvelope.pointer)
        }
        let answer = try await vault.send(
            source.readCard(card, traceparent: request.traceparent, deadline: request.deadline))
        let payload = try answer.vaultCard().payload(for: request.card)
        do throws(CryptographyFailure) {
            return ThalesEnvelope(der: try source.enveloper.envelope(payload))
        } catch {
            throw ProvisioningError(.internalError, outcome: .notSent)
        }
    }
}
