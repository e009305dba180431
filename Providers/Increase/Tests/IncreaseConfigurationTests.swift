import IncreaseProvider
import ProviderKit
import ProviderTesting
import Testing

@Suite("How a connection to Increase is configured")
struct IncreaseConfigurationTests {
    private func problems(
        _ values: [(key: String, value: SettingValue)], _ environment: ConnectionSettings.Environment = .live,
        hosts: Set<String> = []
    ) -> [String] {
        let settings = TestSettings(values, environment: environment, allowedHTTPHosts: hosts)
        let reader = settings.reader()
        let provider = IncreaseProvider(settings: reader, kit: .testing(ScriptedTransport(answers: [])))
        reader.reportUnknownKeys()
        let isRefused = settings.problems.contains { $0.hasPrefix("problem") && !$0.contains("known key") }
        #expect((provider == nil) == isRefused)
        return settings.problems.sorted()
    }

    private let secrets: (key: String, value: SettingValue) = ("webhook_secrets", ["s"])

    @Test func aKeyAndASecretAreEnough() {
        #expect(problems([("api_key", "k"), secrets]) == [])
        #expect(problems([("api_key", "sandbox_k"), secrets], .test) == [])
    }

    @Test func everyProblemIsReportedAtOnce() {
        #expect(
            problems([("api_key", " "), ("base_url", "ftp://x"), ("webhook_secrets", ["s", ""]), ("api_kye", "k")]) == [
                "problem: connections.main.api_key: is empty",
                "problem: connections.main.api_kye: is not a known key; did you mean api_key?",
                "problem: connections.main.base_url: must be an absolute URL without credentials, query or fragment",
                "problem: connections.main.webhook_secrets[1]: is empty",
            ])
    }

    @Test func withoutASecretDeliveriesAreRefusedAndTheOperatorIsTold() {
        #expect(
            problems([("api_key", "k")]) == [
                "warning: connections.main.webhook_secrets: has no secret, so deliveries to this connection are refused"
            ])
    }

    @Test(arguments: ["k\n", "k k", "clé"])
    func aKeyThatNoHeaderCanHoldIsRefused(_ key: String) {
        #expect(problems([("api_key", .text(SecretText(key))), secrets]).count == 1)
    }

    @Test func sandboxAndLiveAreNotMixed() {
        let sandbox: SettingValue = "https://sandbox.increase.com"
        #expect(problems([("api_key", "k"), ("base_url", sandbox), secrets]).count == 1)
        #expect(problems([("api_key", "sandbox_k"), secrets]).count == 1)
        #expect(problems([("api_key", "k"), ("base_url", sandbox), secrets], .test) == [])
        let live = problems([("api_key", "k"), ("base_url", "https://api.increase.com"), secrets], .test)
        #expect(live.count == 1 && live.allSatisfy { $0.hasPrefix("warning") })
    }

    @Test(
        arguments: [
            ("https://host.example/increase/", [:], true), ("http://127.0.0.1:8090/increase", [:], true),
            ("http://localhost:1", [:], true), ("http://[::1]:8080", [:], true),
            ("http://mock.internal:80", [:], false),
            ("http://mock.internal:80", ["mock.internal": true], true),
            ("http://mock.internal:80", ["mock.internal:80": true], true), ("http://127.0.0.1.example", [:], false),
        ] as [(String, [String: Bool], Bool)])
    func plainHTTPIsForLoopbackAndForHostsThatAreAllowed(_ url: String, _ hosts: [String: Bool], _ isRight: Bool) {
        let found = problems(
            [("api_key", "k"), ("base_url", .text(SecretText(url))), secrets], .test, hosts: Set(hosts.keys))
        #expect(found.isEmpty == isRight)
    }

    @Test func underLiveNoHostIsAllowedPlainHTTP() {
        let found = problems(
            [("api_key", "k"), ("base_url", "http://mock.internal"), secrets], .live, hosts: ["mock.internal"])
        #expect(found.count == 1)
    }
}
