public import ProviderKit
public import Provisioning

/// Stripe Issuing: an ephemeral key, with which Stripe's SDK in the app does the rest.
///
/// Upstream reference: <https://docs.stripe.com/issuing/cards/digital-wallets>.
public struct StripeProvider: ConfigurableProvider {
    /// Who Stripe is. The SDK makes the handshake with the wallet itself; a key that was lost is made once more.
    public static let descriptor = ProviderDescriptor(
        id: "stripe", displayName: "Stripe", cardIDPattern: .prefixed(["ic_"], .alphanumeric, length: 1...64),
        tokenFeed: .list,
        wallets: [Wallet.applePay, .googlePay].map { wallet in
            WalletSupport(
                wallet: wallet, channel: .inApp, handoff: .stripeEphemeralKey, handshake: .none, repeatRule: .once,
                isSingleUse: false)
        })

    let configuration: StripeConfiguration
    let stripe: Upstream
    let kit: AdapterKit

    /// Makes the adapter of a connection, or nil where its settings forbid it.
    public init?(settings: ConnectionSettings, kit: AdapterKit) {
        guard let configuration = StripeConfiguration(settings) else { return nil }
        self.configuration = configuration
        stripe = Upstream(kit, failures: .stripe)
        self.kit = kit
    }

    /// Checks the version that the app's SDK asked for.
    public func check(_ request: ProvisioningRequest) throws(ProvisioningError) {
        _ = try StripeAPIVersion(askedIn: request)
    }

    /// Creates an ephemeral key for the card, of the version that the app's SDK asked for, and hands it on as it came.
    public func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        let call = try configuration.createKey(request)
        return .stripeEphemeralKey(try await stripe.send(call).stripeKey(for: request))
    }

    /// Reads the card. It can be added where it is active and Stripe says so of the wallet.
    public func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        let call = try configuration.readCard(card, deadline: deadline)
        return try await stripe.send(call).stripeEligibility(for: wallet)
    }
}
