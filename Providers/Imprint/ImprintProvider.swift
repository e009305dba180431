public import ProviderKit
public import Provisioning

/// Imprint: passes for Apple Pay, and opaque cards for Google Pay where the connection turns them on.
///
/// Google's part is published, but the endpoint does not take it yet: it answers `wallet_unsupported`. Until the
/// connection says `google_pay: true`, Passgate answers so by itself.
///
/// Upstream reference: <https://docs.imprint.co/add-to-wallet>.
public struct ImprintProvider: ConfigurableProvider {
    /// Who Imprint is. A nonce is spent by the call; Google's ids are stable and may be sent again.
    public static let descriptor = ProviderDescriptor(
        id: "imprint", displayName: "Imprint", cardIDPattern: .uuid, tokenFeed: .webhooks, tellsActivation: false,
        wallets: [
            WalletSupport(
                wallet: .applePay, channel: .inApp, handoff: .applePayPass, handshake: .applePay, repeatRule: .never,
                isSingleUse: true),
            WalletSupport(
                wallet: .googlePay, channel: .inApp, handoff: .googlePayOpaqueCard, handshake: .googlePayDevice,
                repeatRule: .once, isSingleUse: true),
        ])

    let configuration: ImprintConfiguration
    let imprint: Upstream
    let kit: AdapterKit

    /// Makes the adapter of a connection, or nil where its settings forbid it.
    public init?(settings: ConnectionSettings, kit: AdapterKit) {
        guard let configuration = ImprintConfiguration(settings) else { return nil }
        self.configuration = configuration
        imprint = Upstream(kit, failures: .imprint)
        self.kit = kit
    }

    /// Apple Pay, and Google Pay where the connection turns it on.
    public var offers: [WalletSupport] { Self.descriptor.wallets.filter { configuration.serves($0.wallet) } }

    /// Refuses Google Pay where the connection does not turn it on.
    ///
    /// - Throws: `wallet_unsupported`, nothing sent.
    public func check(_ request: ProvisioningRequest) throws(ProvisioningError) {
        guard configuration.serves(request.wallet) else {
            throw ProvisioningError(.walletUnsupported, outcome: .notSent)
        }
    }

    /// Calls `provision/{wallet}` once, and hands on what it gives.
    public func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        try check(request)
        let call = try configuration.provision(request)
        let answer = try await imprint.send(call)
        return switch request.wallet {
        case .applePay: .applePayPass(try answer.imprintPass())
        default: .googlePayOpaqueCard(try answer.imprintOpaqueCard(for: request))
        }
    }

    /// Reads the payment method. An active card can be added; an inactive or canceled one, a bank account and a loan
    /// cannot; of a word that nobody knows, neither is claimed.
    public func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        guard configuration.serves(wallet) else {
            return Eligibility(eligible: false, reason: ProblemCode.walletUnsupported.rawValue)
        }
        let call = try configuration.readPaymentMethod(card, deadline: deadline)
        return try await imprint.send(call).imprintEligibility()
    }
}
