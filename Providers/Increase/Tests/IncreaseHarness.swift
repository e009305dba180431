import IncreaseProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning

/// Increase with its fixtures.
enum IncreaseHarness {
    static let apiKey = "key_invented_for_tests"
    static let fixtures = FixtureFolder()
    static let card = CardBinding(
        connection: "main", providerCardID: "card_oubs0hwk5rn6knuecxg2", last4: "1288", network: .visa)

    static let replay = ReplayHarness<IncreaseProvider>(
        fixtures: fixtures, card: card, settings: settings,
        absent: [
            .alreadyProvisioned: "Increase has no answer that says so",
            .deviceIneligible: "Increase has no answer that says so",
        ],
        secrets: [apiKey, "subscription-secret-invented"])

    static var settings: TestSettings {
        TestSettings([
            ("api_key", .text(SecretText(apiKey))), ("webhook_secrets", ["subscription-secret-invented"]),
        ])
    }

    /// An adapter over any transport.
    static func provider(_ transport: any UpstreamTransport) throws -> IncreaseProvider {
        guard let provider = IncreaseProvider(settings: settings.reader(), kit: .testing(transport)) else {
            throw CryptographyFailure("the settings are refused")
        }
        return provider
    }

    /// A request for one of the descriptor's rows.
    static func request(_ wallet: Wallet, _ channel: WalletChannel = .inApp) throws -> ProvisioningRequest {
        guard let row = IncreaseProvider.descriptor.support(for: wallet, on: channel) else {
            throw CryptographyFailure("no such row")
        }
        return SampleRequest.make(for: row, card: card)
    }
}
