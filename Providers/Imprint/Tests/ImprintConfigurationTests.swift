import ImprintProvider
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("How a connection to Imprint is configured")
struct ImprintConfigurationTests {
    private let secrets: (key: String, value: SettingValue) = ("webhook_secrets", ["s"])

    private func problems(
        _ values: [(key: String, value: SettingValue)], _ environment: ConnectionSettings.Environment = .live
    ) -> [String] {
        let settings = TestSettings(values + [secrets], environment: environment)
        let reader = settings.reader()
        let provider = ImprintProvider(settings: reader, kit: .testing(ScriptedTransport(answers: [])))
        reader.reportUnknownKeys()
        let isRefused = settings.problems.contains { $0.contains("api_key: ") || $0.contains("base_url: ") }
        if !isRefused { #expect(provider != nil) }
        return settings.problems.sorted()
    }

    /// The headers and the URL of a read.
    private func call(
        _ values: [(key: String, value: SettingValue)], _ environment: ConnectionSettings.Environment = .live
    ) async throws -> UpstreamRequest {
        let transport = ScriptedTransport(answers: [])
        let settings = TestSettings(values + [secrets], environment: environment)
        let provider = try #require(ImprintProvider(settings: settings.reader(), kit: .testing(transport)))
        #expect(settings.problems.filter { $0.hasPrefix("problem") } == [])
        _ = try? await provider.eligibility(
            of: ImprintHarness.card, wallet: .applePay, deadline: .now + .seconds(1))
        return try #require(transport.requests.first)
    }

    private func header(_ name: String, of request: UpstreamRequest) -> [String] {
        request.headers.filter { $0.name.lowercased() == name }.map { $0.value.reveal() }
    }

    @Test func aKeyIsEnough() {
        #expect(problems([("api_key", "k")]) == [])
        #expect(problems([("api_key", "k")], .test) == [])
    }

    @Test func everyProblemIsReportedAtOnce() {
        let found = problems([
            ("api_key", " "), ("auth", "digest"), ("merchant_key", "two words"), ("google_pay", "yes"),
            ("base_url", "ftp://x"), ("webhook_key_form", "md5"), ("merchant", "k"),
        ])
        #expect(
            found == [
                "problem: connections.main.api_key: is empty",
                "problem: connections.main.auth: must be one of bearer, basic_key, basic_pair",
                "problem: connections.main.base_url: must be an absolute URL without credentials, query or fragment",
                "problem: connections.main.google_pay: must be one of true, false",
                "problem: connections.main.merchant: is not a known key",
                "problem: connections.main.merchant_key: has a space, a line break or another character that no header field can hold",
                "problem: connections.main.webhook_key_form: must be one of utf8, sha256, sha256_hex",
            ])
    }

    @Test func withoutASecretDeliveriesAreRefusedAndTheOperatorIsTold() {
        let settings = TestSettings([("api_key", "k")])
        #expect(ImprintProvider(settings: settings.reader(), kit: .testing(ScriptedTransport(answers: []))) != nil)
        #expect(
            settings.problems == [
                "warning: connections.main.webhook_secrets: has no secret, so deliveries to this connection are refused"
            ])
    }

    /// Imprint's pages name three forms. `aWQ6c2VjcmV0` is `id:secret`, `a2V5Og==` is `key:`.
    @Test(
        arguments: [
            (nil, "key", "Bearer key"), ("bearer", "key", "Bearer key"), ("basic_key", "key", "Basic a2V5Og=="),
            ("basic_pair", "id:secret", "Basic aWQ6c2VjcmV0"), ("basic_pair", "id:s:t", "Basic aWQ6czp0"),
        ] as [(String?, String, String)])
    func everyFormOfCredentialsIsSentAsItIs(_ form: String?, _ key: String, _ value: String) async throws {
        var values: [(key: String, value: SettingValue)] = [("api_key", .text(SecretText(key)))]
        if let form { values.append(("auth", .text(SecretText(form)))) }
        #expect(header("authorization", of: try await call(values)) == [value])
    }

    @Test(arguments: [
        ("basic_pair", "key"), ("basic_pair", ":secret"), ("basic_pair", "id:"), ("basic_pair", ":"),
        ("basic_key", "id:secret"),
    ])
    func aKeyOfAnotherFormStopsTheStart(_ form: String, _ key: String) {
        let found = problems([("api_key", .text(SecretText(key))), ("auth", .text(SecretText(form)))])
        #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("problem: connections.main.api_key: ") })
        #expect(!found.joined().contains("id:secret"))
    }

    @Test func aPairAsABearerTokenIsWorthAWarning() {
        let found = problems([("api_key", "id:secret")])
        #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("warning: connections.main.api_key: ") })
    }

    @Test func theMerchantIsNamedWhereItIsGiven() async throws {
        #expect(header("x-imprint-merchant-key", of: try await call([("api_key", "k")])) == [])
        let named = try await call([("api_key", "k"), ("merchant_key", "m-1")])
        #expect(header("x-imprint-merchant-key", of: named) == ["m-1"])
    }

    /// The production host does begin with "dev".
    @Test func theHostFollowsTheEnvironment() async throws {
        #expect(try await call([("api_key", "k")]).url.hasPrefix("https://dev.imprint.co/v2/"))
        #expect(try await call([("api_key", "k")], .test).url.hasPrefix("https://dev.sbx.imprint.co/v2/"))
        let mine = try await call([("api_key", "k"), ("base_url", "https://host.example/imprint/")])
        #expect(mine.url.hasPrefix("https://host.example/imprint/v2/"))
    }

    /// G09: the sandbox's host under live stops the start.
    @Test func g09SandboxAndLiveAreNotMixed() {
        let sandbox: SettingValue = "https://dev.sbx.imprint.co"
        #expect(problems([("api_key", "k"), ("base_url", sandbox)]).count == 1)
        #expect(problems([("api_key", "k"), ("base_url", sandbox)], .test) == [])
        let live = problems([("api_key", "k"), ("base_url", "https://dev.imprint.co")], .test)
        #expect(live.count == 1 && live.allSatisfy { $0.hasPrefix("warning") })
    }

    @Test(arguments: ["utf8", "sha256", "sha256_hex"])
    func theWebhookKeyHasOneOfThreeForms(_ form: String) {
        #expect(problems([("api_key", "k"), ("webhook_key_form", .text(SecretText(form)))]) == [])
    }

    @Test(
        arguments: [(nil, [.applePay]), ("false", [.applePay]), ("true", [.applePay, .googlePay])]
            as [(String?, [Wallet])])
    func googlePayIsOfferedOnlyWhereItIsTurnedOn(_ flag: String?, _ wallets: [Wallet]) throws {
        var values: [(key: String, value: SettingValue)] = [("api_key", "k"), secrets]
        if let flag { values.append(("google_pay", .text(SecretText(flag)))) }
        let provider = try #require(
            ImprintProvider(
                settings: TestSettings(values).reader(), kit: .testing(ScriptedTransport(answers: []))))
        #expect(provider.offers.map(\.wallet) == wallets)
    }
}
