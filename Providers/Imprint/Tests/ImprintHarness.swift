import ImprintProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning

/// Imprint with its fixtures. Google Pay is turned on unless told.
enum ImprintHarness {
    static let apiKey = "key_invented_for_tests"
    static let fixtures = FixtureFolder()
    static let card = CardBinding(
        connection: "main", providerCardID: "3F0C2D1A-9B7E-4C55-8A21-6D0E94B7F312", last4: "1288", network: .visa)

    static let replay = ReplayHarness<ImprintProvider>(
        fixtures: fixtures, card: card, settings: settings(), absent: [.notEnabled: "Imprint has no word for it"],
        secrets: [apiKey, "signing-token-invented"])

    static func settings(googlePay: Bool = true) -> TestSettings {
        TestSettings([
            ("api_key", .text(SecretText(apiKey))), ("merchant_key", "merchant_invented"),
            ("google_pay", googlePay ? "true" : "false"), ("webhook_secrets", ["signing-token-invented"]),
        ])
    }

    /// An adapter over any transport.
    static func provider(_ transport: any UpstreamTransport, googlePay: Bool = true) throws -> ImprintProvider {
        let reader = settings(googlePay: googlePay).reader()
        guard let provider = ImprintProvider(settings: reader, kit: .testing(transport)) else {
            throw CryptographyFailure("the settings are refused")
        }
        return provider
    }

    /// A request for one of the descriptor's rows.
    static func request(_ wallet: Wallet) throws -> ProvisioningRequest {
        guard let row = ImprintProvider.descriptor.support(for: wallet, on: .inApp) else {
            throw CryptographyFailure("no such row")
        }
        return SampleRequest.make(for: row, card: card)
    }

    /// The failure that an answer becomes.
    static func failure(of response: UpstreamResponse, _ wallet: Wallet = .applePay) async throws -> ProvisioningError {
        let provider = try provider(ScriptedTransport { _ in response })
        let request = try request(wallet)
        do throws(ProvisioningError) {
            _ = try await provider.provision(request)
        } catch {
            return error
        }
        throw Violation("no failure")
    }
}
