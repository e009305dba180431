import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import StripeProvider

/// Stripe with its fixtures.
enum StripeHarness {
    static let secretKey = "rk_invented_for_tests"
    static let webhookSecret = "whsec_invented"
    static let version = SampleRequest.stripeAPIVersion
    static let fixtures = FixtureFolder()
    static let card = CardBinding(
        connection: "main", providerCardID: "ic_1GWQp6Invented", last4: "4242", network: .visa)

    /// What Stripe has no words for. An account without Issuing is refused with a sentence, and no code.
    static let absent: [Situation: String] = [
        .alreadyProvisioned: "Stripe has no answer that says so: its SDK sees the wallet",
        .handshakeRejected: "Stripe's SDK makes the handshake",
        .deviceIneligible: "Stripe's SDK sees the device",
        .notEnabled: "Stripe has no code that says so",
    ]

    static let replay = ReplayHarness<StripeProvider>(
        fixtures: fixtures, card: card, settings: settings, absent: absent, secrets: [secretKey, webhookSecret])

    static var settings: TestSettings {
        TestSettings([
            ("secret_key", .text(SecretText(secretKey))), ("account", "acct_1InventedForTests"),
            ("webhook_secrets", .list([.text(SecretText(webhookSecret))])),
        ])
    }

    /// An adapter over any transport; with other settings where they are given.
    static func provider(_ transport: any UpstreamTransport, settings: TestSettings? = nil) throws -> StripeProvider {
        let settings = settings ?? self.settings
        guard let provider = StripeProvider(settings: settings.reader(), kit: .testing(transport)) else {
            throw CryptographyFailure("the settings are refused")
        }
        return provider
    }

    /// A request for one of the descriptor's rows.
    static func request(_ wallet: Wallet = .applePay, version: String? = version) throws -> ProvisioningRequest {
        guard let row = StripeProvider.descriptor.support(for: wallet, on: .inApp) else {
            throw CryptographyFailure("no such row")
        }
        var request = SampleRequest.make(for: row, card: card)
        request.stripeAPIVersion = version
        return request
    }
}
