import CheckoutProvider
import Crypto
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning

/// Checkout.com with its fixtures.
enum CheckoutHarness {
    static let clientSecret = "secret_invented_for_tests"
    static let accessToken = "access_token_invented_for_tests"
    static let keyID = "d1api-crease-01"
    static let fixtures = FixtureFolder()
    static let card = CardBinding(
        connection: "main", providerCardID: "crd_fa6psq242dcd6fdn5gifcq1491",
        providerCardholderID: "crh_d3ozhf43pcq2xbldn2g45qnb44", last4: "1288", network: .mastercard)

    static let replay = ReplayHarness<CheckoutProvider>(
        fixtures: fixtures, card: card, settings: settings(), cryptography: OpenSSLCryptography(),
        absent: [
            .alreadyProvisioned: noAnswer, .handshakeRejected: noAnswer, .notEnabled: noAnswer,
            .deviceIneligible: noAnswer,
        ],
        secrets: [clientSecret, "signature-key-invented", accessToken],
        exchangeCount: { operation in
            switch operation {
            case .provision: 0
            case .eligibility: 2
            }
        })
    static let noAnswer = "Checkout.com has no answer that says so"

    /// The settings of `d1`, with others in place of them.
    static func d1(_ others: [(key: String, value: SettingValue)] = []) -> SettingValue {
        let key: SettingValue = .mapping([("key_id", .text(SecretText(keyID))), ("file", "p256.pem")])
        let usual: [(key: String, value: SettingValue)] = [
            ("issuer_id", "ISSUERID01"), ("keys", [key]), ("issuer_url", "https://oidc.d1.example/oidc/ISSUERID01"),
            ("service_rsa_modulus", "00c0ffee"), ("service_rsa_exponent", "010001"),
        ]
        return .mapping(usual.filter { item in !others.contains { $0.key == item.key } } + others)
    }

    /// A connection's settings, with other ones in `d1`.
    static func settings(_ others: [(key: String, value: SettingValue)] = []) -> TestSettings {
        TestSettings(
            [
                ("client_id", "cli_invented"), ("client_secret", .text(SecretText(clientSecret))),
                ("base_url", "https://invented.api.checkout.com"), ("webhook_secrets", ["signature-key-invented"]),
                ("d1", d1(others)),
            ], files: TestKeys.files)
    }

    /// An adapter over any transport.
    static func provider(
        _ transport: any UpstreamTransport = ScriptedTransport(answers: []), clock: any WallClock = FixedClock(),
        d1 others: [(key: String, value: SettingValue)] = []
    ) throws -> CheckoutProvider {
        let settings = settings(others)
        let kit = AdapterKit.testing(transport, cryptography: OpenSSLCryptography(), clock: clock)
        guard let provider = CheckoutProvider(settings: settings.reader(), kit: kit) else {
            throw CryptographyFailure("the settings are refused: \(settings.problems)")
        }
        return provider
    }

    /// A request for one of the descriptor's rows.
    static func request(_ wallet: Wallet = .applePay) throws -> ProvisioningRequest {
        guard let row = CheckoutProvider.descriptor.support(for: wallet, on: .inApp) else {
            throw CryptographyFailure("no such row")
        }
        return SampleRequest.make(for: row, card: card)
    }

    /// The authorization that an adapter gives.
    static func authorization(_ provider: CheckoutProvider, _ wallet: Wallet = .applePay) async throws
        -> D1Authorization
    {
        guard case .d1Authorization(let authorization) = try await provider.provision(request(wallet)) else {
            throw CryptographyFailure("another handoff")
        }
        return authorization
    }

    /// Answers of the token endpoint, each with a token of its own.
    static func tokenAnswer(_ text: String = accessToken, seconds: Int = 3600) -> UpstreamResponse {
        .answer(200, #"{"access_token":"\#(text)","token_type":"Bearer","expires_in":\#(seconds)}"#)
    }

    /// A card of that status.
    static func cardAnswer(_ status: String = "active", cardholder: String = "crh_d3ozhf43pcq2xbldn2g45qnb44")
        -> UpstreamResponse
    {
        .answer(
            200,
            #"{"id":"crd_fa6psq242dcd6fdn5gifcq1491","cardholder_id":"\#(cardholder)","status":"\#(status)"}"#)
    }
}
