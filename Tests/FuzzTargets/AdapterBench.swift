import Catalogue
import Crypto
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory

/// The adapters of the catalogue, with invented settings and keys that were made for this run.
struct AdapterBench: Sendable {
    /// What signs the webhooks of every connection.
    static let webhookSecret = "whsec_invented_for_vectors"
    /// What else signs them: the one that the vendors' libraries made Increase's vectors with.
    static let otherSecret = "invented_shared_secret_for_vectors"
    static let clock: any WallClock = FixedClock()

    private let values: [String: [(key: String, value: SettingValue)]]
    private let files: [String: String]

    init() throws {
        let (elliptic, rsa) = (try P256PrivateKey(), try RSAPrivateKey())
        let end = Self.clock.now.adding(milliseconds: 86_400_000)
        let certificate = try CertificateAuthority.root(named: "Invented Root", from: Self.clock.now, until: end)
            .issue(to: "Invented Gateway", key: rsa.publicKey, from: Self.clock.now, until: end)
        files = ["p256.pem": try elliptic.pem().reveal(), "rsa.pem": try rsa.pem().reveal()]
        let secrets: (key: String, value: SettingValue) = (
            "webhook_secrets", [.text(SecretText(Self.webhookSecret)), .text(SecretText(Self.otherSecret))]
        )
        values = [
            "increase": [("api_key", "key_invented"), secrets],
            "imprint": [
                ("api_key", "key_invented"), ("merchant_key", "merchant_invented"), ("google_pay", "true"), secrets,
            ],
            "stripe": [("secret_key", "rk_invented"), ("account", "acct_1Invented"), secrets],
            "checkout": [
                ("client_id", "cli_invented"), ("client_secret", "secret_invented"),
                ("base_url", "https://invented.api.checkout.com"), secrets,
                (
                    "d1",
                    .mapping([
                        ("issuer_id", "ISSUERID01"), ("keys", [.mapping([("key_id", "key-1"), ("file", "p256.pem")])]),
                        ("issuer_url", "https://oidc.d1.example/oidc/ISSUERID01"),
                        ("service_rsa_modulus", "00c0ffee"), ("service_rsa_exponent", "010001"),
                    ])
                ),
            ],
            "thales": [
                ("issuer_id", "ISSUER0001"), ("keys", [.mapping([("key_id", "key-1"), ("file", "rsa.pem")])]),
                ("encryption_certificate", .text(SecretText(certificate.pem))),
                (
                    "card_source",
                    .mapping([
                        ("url", "https://vault.example/cards/{provider_card_id}"), ("token", "vault-token-invented"),
                    ])
                ),
            ],
        ]
    }

    /// The adapter of each provider that has settings here, by its id, over that transport.
    func adapters(over transport: any UpstreamTransport) throws(BrokenPromise) -> [String: any ConfigurableProvider] {
        var adapters: [String: any ConfigurableProvider] = [:]
        for type in ProviderCatalogue.all {
            // A provider that is new here has no settings yet.
            guard let values = values[type.descriptor.id] else { continue }
            let settings = TestSettings(values, files: files)
            let kit = AdapterKit.testing(transport, cryptography: OpenSSLCryptography(), clock: Self.clock)
            guard let adapter = type.init(settings: settings.reader(), kit: kit) else {
                throw BrokenPromise("\(type.descriptor.id): \(settings.problems)")
            }
            adapters[type.descriptor.id] = adapter
        }
        return adapters
    }

    /// A card that the provider may have.
    static func card(at provider: String) -> CardBinding {
        let ids = [
            "increase": "card_oubs0hwk5rn6knuecxg2", "imprint": "3F0C2D1A-9B7E-4C55-8A21-6D0E94B7F312",
            "stripe": "ic_1GWQp6Invented", "checkout": "crd_fa6psq242dcd6fdn5gifcq1491", "thales": "card-ref_0001",
        ]
        return CardBinding(
            connection: provider, providerCardID: ids[provider] ?? "card_1",
            providerCardholderID: provider == "checkout" ? "crh_d3ozhf43pcq2xbldn2g45qnb44" : nil, last4: "1288",
            network: .visa)
    }
}
