import Crypto
import JSON
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing
import ThalesProvider

/// Thales with its fixtures, and with keys that were made for this run.
enum ThalesHarness {
    static let vaultToken = "vault-token-invented"
    static let issuerID = "ISSUER0001"
    static let fixtures = FixtureFolder()
    static let card = CardBinding(
        connection: "main", providerCardID: "card-ref_0001", last4: "0009", network: .visa)
    static let clock = FixedClock()

    /// A key, made once: the issuer's, and the one that envelopes are for.
    static let issuerKey = Result { () throws(CryptographyFailure) in try RSAPrivateKey() }
    static let gatewayKey = Result { () throws(CryptographyFailure) in try RSAPrivateKey() }
    static let issuerPEM = (try? issuerKey.get().pem().reveal()) ?? ""
    static let certificate = (try? certificate(for: gatewayKey.get().publicKey)) ?? ""

    static let replay = ReplayHarness<ThalesProvider>(
        fixtures: fixtures, card: card, settings: settings(), cryptography: OpenSSLCryptography(),
        absent: [
            .enumValuesUnheardOf: "a vault's answer has no enum", .notEnabled: "a vault has no word for it",
            .handshakeRejected: "a vault sees no handshake", .alreadyProvisioned: "a vault knows no wallet",
            .deviceIneligible: "a vault sees no device",
        ],
        secrets: [vaultToken, issuerPEM],
        exchangeCount: { operation in if case .provision = operation { 1 } else { 0 } })

    /// Settings with a vault, unless told otherwise.
    static func settings(
        with changes: [(key: String, value: SettingValue)] = [], without removed: Set<String> = []
    ) -> TestSettings {
        var values: [(key: String, value: SettingValue)] = [
            ("issuer_id", .text(SecretText(issuerID))), ("keys", .list([key("issuer-key-1", "issuer.pem")])),
            ("encryption_certificate", .text(SecretText(certificate))), ("card_source", source()),
        ]
        values.removeAll { value in removed.contains(value.key) || changes.contains { $0.key == value.key } }
        return TestSettings(values + changes, files: ["issuer.pem": issuerPEM])
    }

    static func key(_ id: String, _ file: String, active: String? = nil) -> SettingValue {
        var members: [(key: String, value: SettingValue)] = [
            ("key_id", .text(SecretText(id))), ("file", .text(SecretText(file))),
        ]
        if let active { members.append(("active", .text(SecretText(active)))) }
        return .mapping(members)
    }

    static func source(
        url: String = "https://vault.example/cards/{provider_card_id}/data", token: String = vaultToken
    ) -> SettingValue {
        .mapping([("url", .text(SecretText(url))), ("token", .text(SecretText(token)))])
    }

    /// A certificate for a key, PEM.
    static func certificate(for key: PublicKey) throws -> String {
        let end = clock.now.adding(milliseconds: 86_400_000)
        return try CertificateAuthority.root(named: "Invented Root", from: clock.now, until: end)
            .issue(to: "Invented Gateway", key: key, from: clock.now, until: end).pem
    }

    /// An adapter over any transport.
    static func provider(
        _ transport: any UpstreamTransport = ScriptedTransport(answers: []), _ settings: TestSettings = settings(),
        clock: any WallClock = clock
    ) throws -> ThalesProvider {
        let kit = AdapterKit.testing(transport, cryptography: OpenSSLCryptography(), clock: clock)
        guard let provider = ThalesProvider(settings: settings.reader(), kit: kit) else {
            throw Violation("the settings are refused: \(settings.problems)")
        }
        return provider
    }

    /// An adapter whose vault answers so.
    static func provider(answering body: String, _ settings: TestSettings = settings()) throws -> ThalesProvider {
        try provider(ScriptedTransport { _ in .answer(200, body) }, settings)
    }

    /// A request for one of the descriptor's rows.
    static func request(_ wallet: Wallet = .applePay) throws -> ProvisioningRequest {
        let row = try #require(ThalesProvider.descriptor.support(for: wallet, on: .inApp))
        return SampleRequest.make(for: row, card: card)
    }

    /// What the adapter makes of a request.
    static func authorization(_ provider: ThalesProvider, _ request: ProvisioningRequest) async throws
        -> TPCAuthorization
    {
        guard case .tpcAuthorization(let authorization) = try await provider.provision(request) else {
            throw Violation("another handoff")
        }
        return authorization
    }

    /// What the adapter throws at a request.
    static func failure(_ provider: ThalesProvider, _ request: ProvisioningRequest) async throws -> ProvisioningError {
        do throws(ProvisioningError) { _ = try await provider.provision(request) } catch { return error }
        throw Violation("no failure")
    }

    /// A card number, put together so that no file holds one.
    static let number = ["4111", "1111", "1111", "1111"].joined()

    /// A vault's answer.
    static func body(number: String = number, expiry: String = "1131", name: String = "Ian Crease") -> String {
        #"{"pan":"\#(number)","expiry":"\#(expiry)","cardholder_name":"\#(name)"}"#
    }
}
