public import ProviderKit
public import Provisioning

/// Acme: opaque cards for Google Pay in app. Acme is invented, to show how a processor is added.
///
/// Upstream reference: the link to the processor's page belongs here.
public struct AcmeProvider: ConfigurableProvider, CredentialCheck {
    /// Who Acme is. Its page does not say what a second call does, so a sent one is never repeated.
    public static let descriptor = ProviderDescriptor(
        id: "acme", displayName: "Acme", cardIDPattern: .prefixed(["acme_"], .lowercaseAlphanumeric, length: 1...32),
        tokenFeed: .none,
        wallets: [
            WalletSupport(
                wallet: .googlePay, channel: .inApp, handoff: .googlePayOpaqueCard, handshake: .googlePayDevice,
                repeatRule: .never, isSingleUse: true)
        ])

    private let configuration: AcmeConfiguration
    private let acme: Upstream

    /// Makes the adapter of a connection, or nil where its settings forbid it.
    public init?(settings: ConnectionSettings, kit: AdapterKit) {
        guard let configuration = AcmeConfiguration(settings) else { return nil }
        self.configuration = configuration
        acme = Upstream(kit, failures: .acme)
    }

    /// Makes one call, and hands on what it gives.
    public func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        let call = try configuration.push(request)
        return .googlePayOpaqueCard(try await acme.send(call).acmeCards(for: request))
    }

    /// Reads the card.
    public func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        let call = try configuration.readCard(card, deadline: deadline)
        return try await acme.send(call).acmeEligibility()
    }

    /// One card of the list, for `passgate doctor`.
    public var credentialQuestion: CredentialQuestion? { CredentialQuestion("one card of the list") }

    /// Lists one card. Of what it is, nothing is read.
    public func checkCredentials(deadline: ContinuousClock.Instant) async throws(ProvisioningError) {
        _ = try await acme.send(configuration.listOneCard(deadline: deadline))
    }
}
