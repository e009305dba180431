import ProviderKit
import ProviderTesting
import StripeProvider
import Testing

@Suite("How a connection to Stripe is configured")
struct StripeConfigurationTests {
    private func problems(
        _ values: [(key: String, value: SettingValue)], _ environment: ConnectionSettings.Environment = .live
    ) -> [String] {
        let settings = TestSettings(values, environment: environment)
        let reader = settings.reader()
        let provider = StripeProvider(settings: reader, kit: .testing(ScriptedTransport(answers: [])))
        reader.reportUnknownKeys()
        let isRefused = settings.problems.contains { $0.hasPrefix("problem") && !$0.contains("known key") }
        #expect((provider == nil) == isRefused)
        return settings.problems.sorted()
    }

    private let secrets: (key: String, value: SettingValue) = ("webhook_secrets", ["s"])

    /// A key as Stripe makes them. Put together here, so that no file holds one.
    private func key(_ kind: String, _ mode: String) -> (key: String, value: SettingValue) {
        ("secret_key", .text(SecretText([kind, mode, "invented"].joined(separator: "_"))))
    }

    @Test func aKeyAndASecretAreEnough() {
        #expect(problems([key("sk", "live"), secrets]) == [])
        #expect(problems([key("rk", "live"), secrets]) == [])
        #expect(problems([key("sk", "test"), secrets], .test) == [])
        #expect(problems([("secret_key", "key_of_no_known_form"), secrets], .test) == [])
    }

    @Test func everythingElseMayBeSet() {
        #expect(
            problems([
                key("sk", "live"), secrets, ("account", "acct_1A2b3C"), ("api_version", "2024-06-20"),
                ("base_url", "https://proxy.example/stripe"),
            ]) == [])
    }

    /// G09: a key of one environment in the other's connection stops the start.
    @Test(arguments: ["sk", "rk", "pk"])
    func g09TestAndLiveAreNotMixed(_ kind: String) {
        #expect(
            problems([key(kind, "test"), secrets]) == [
                "problem: connections.main.secret_key: belongs to a sandbox, but the environment is live"
            ])
        #expect(
            problems([key(kind, "live"), secrets], .test) == [
                "problem: connections.main.secret_key: is for real cards, but the environment is test"
            ])
    }

    @Test func aPublishableKeyIsNoSecretKey() {
        let expected = ["problem: connections.main.secret_key: is a publishable key; sk_… or rk_… is needed"]
        #expect(problems([key("pk", "live"), secrets]) == expected)
        #expect(problems([key("pk", "test"), secrets], .test) == expected)
    }

    @Test func everyProblemIsReportedAtOnce() {
        #expect(
            problems([
                ("secret_key", " "), ("base_url", "http://api.stripe.com"), ("account", "1A2b3C"),
                ("api_version", "latest"), ("webhook_secrets", ["s", ""]), ("secret_kye", "k"),
            ]) == [
                "problem: connections.main.account: must be an account's id, such as acct_1A2b3C",
                "problem: connections.main.api_version: must be a date, or a date and a name: 2026-10-28.endive",
                "problem: connections.main.base_url: must be https; plain http is for loopback, or for "
                    + "allow_http_hosts under test",
                "problem: connections.main.secret_key: is empty",
                "problem: connections.main.secret_kye: is not a known key; did you mean secret_key?",
                "problem: connections.main.webhook_secrets[1]: is empty",
            ])
    }

    @Test(arguments: ["acct_", "acct_1-2", "acct_1\r\nX-Injected: 1", "ACCT_1", "acct_1 ", "acct_é"])
    func anAccountOfAnotherFormIsRefused(_ account: String) {
        #expect(problems([key("sk", "live"), secrets, ("account", .text(SecretText(account)))]).count == 1)
    }

    @Test func anAccountThatIsEmptyIsNotLeftOut() {
        #expect(problems([key("sk", "live"), secrets, ("account", "")]).count == 1)
    }

    @Test func withoutASecretDeliveriesAreRefusedAndTheOperatorIsTold() {
        #expect(
            problems([key("sk", "live")]) == [
                "warning: connections.main.webhook_secrets: has no secret, so deliveries to this connection are refused"
            ])
    }

    @Test(arguments: ["k\n", "k k", "clé"])
    func aKeyThatNoHeaderCanHoldIsRefused(_ key: String) {
        #expect(problems([("secret_key", .text(SecretText(key))), secrets]).count == 1)
    }
}
