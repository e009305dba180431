public import ProviderKit
public import Provisioning

/// Increase: passes for Apple Pay and opaque cards for Google Pay, in app and on the web.
///
/// Upstream reference: <https://increase.com/documentation/push-provisioning>.
public struct IncreaseProvider: ConfigurableProvider {
    /// Who Increase is. A nonce and a Google session are spent by the call; a Google device without a session is not.
    public static let descriptor = ProviderDescriptor(
        id: "increase", displayName: "Increase",
        cardIDPattern: .prefixed(["card_", "sandbox_card_"], .lowercaseAlphanumeric, length: 1...64),
        tokenFeed: .list,
        wallets: [
            WalletSupport(
                wallet: .applePay, channel: .inApp, handoff: .applePayPass, handshake: .applePay, repeatRule: .never,
                isSingleUse: true),
            WalletSupport(
                wallet: .googlePay, channel: .inApp, handoff: .googlePayOpaqueCard, handshake: .googlePayDevice,
                repeatRule: .onceWithoutSession, isSingleUse: true),
            WalletSupport(
                wallet: .googlePay, channel: .web, handoff: .googlePayOpaqueCard, handshake: .googlePaySession,
                repeatRule: .never, isSingleUse: true),
        ])

    let configuration: IncreaseConfiguration
    let increase: Upstream
    let kit: AdapterKit

    /// Makes the adapter of a connection, or nil where its settings forbid it.
    public init?(settings: ConnectionSettings, kit: AdapterKit) {
        guard let configuration = IncreaseConfiguration(settings) else { return nil }
        self.configuration = configuration
        increase = Upstream(kit, failures: .increase)
        self.kit = kit
    }

    /// Calls `push_provision` once, and hands on what it gives.
    public func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        let call = try configuration.pushProvision(request)
        let answer = try await increase.send(call)
        return switch request.wallet {
        case .applePay: .applePayPass(try answer.increasePass())
        default: .googlePayOpaqueCard(try answer.increaseOpaqueCard(for: request))
        }
    }

    /// Reads the card. An active card can be added; a disabled or canceled one cannot; of a status that nobody knows,
    /// neither is claimed.
    public func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        let call = try configuration.readCard(card, deadline: deadline)
        return try await increase.send(call).increaseEligibility()
    }
}
