import CheckoutProvider
import Crypto
import ProviderKit
import ProviderTesting
import Testing

@Suite("How a connection to Checkout.com is configured")
struct CheckoutConfigurationTests {
    /// The problems of settings, the usual ones where none of that key is given; a key without a value is left out.
    private func problems(
        _ others: [(key: String, value: SettingValue?)] = [], d1: SettingValue = CheckoutHarness.d1(),
        _ environment: ConnectionSettings.Environment = .live, files: [String: String] = TestKeys.files
    ) -> [String] {
        let usual: [(key: String, value: SettingValue)] = [
            ("client_id", "cli_invented"), ("client_secret", "s"), ("base_url", "https://x.api.checkout.com"),
            ("webhook_secrets", ["w"]), ("d1", d1),
        ]
        let given = others.compactMap { item in item.value.map { (key: item.key, value: $0) } }
        let values = usual.filter { item in !others.contains { $0.key == item.key } } + given
        let settings = TestSettings(values, environment: environment, files: files)
        let reader = settings.reader()
        let kit = AdapterKit.testing(ScriptedTransport(answers: []), cryptography: OpenSSLCryptography())
        let provider = CheckoutProvider(settings: reader, kit: kit)
        reader.reportUnknownKeys()
        let isRefused = settings.problems.contains { $0.hasPrefix("problem") && !$0.contains("known key") }
        #expect(isRefused || provider != nil)
        return settings.problems.sorted()
    }

    private func key(_ file: String, id: String = "k1", active: String? = nil) -> SettingValue {
        let members: [(key: String, value: SettingValue)] = [
            ("key_id", .text(SecretText(id))), ("file", .text(SecretText(file))),
        ]
        return .mapping(members + (active.map { [("active", .text(SecretText($0)))] } ?? []))
    }

    @Test func theKeysOfTheDesignAreKnown() {
        let d1 = CheckoutHarness.d1([
            ("algorithm", "ES256"), ("audience_url", "https://a.example/oidc/x"), ("scope", "thales:d1"),
            ("ttl_seconds", "600"), ("timestamp_form", "numeric"), ("jti", "true"),
            ("service_url", "https://client-api.d1.thalescloud.io/"),
            ("digital_card_url", "https://hapi.dbp.thalescloud.io/mg/tpc"),
        ])
        let access: SettingValue = "https://access.checkout.com/connect/token"
        #expect(problems([("access_url", access), ("scopes", ["issuing:card-mgmt"])], d1: d1) == [])
        #expect(problems() == [])
    }

    @Test func everyProblemIsReportedAtOnce() {
        let found = problems(
            [
                ("client_id", nil), ("client_secret", " "), ("base_url", "https://{prefix}.api.checkout.com"),
                ("webhook_secrets", nil), ("acess_url", "x"),
            ],
            d1: .mapping([
                ("issuer", "x"), ("algorithm", "HS256"), ("ttl_seconds", "0"), ("timestamp_form", "iso"),
                ("issuer_url", "https://h/oidc/{issuerId}"), ("service_url", "http://d1.example/"),
            ]))
        #expect(
            found == [
                "problem: connections.main.acess_url: is not a known key; did you mean access_url?",
                "problem: connections.main.base_url: must be an absolute URL without credentials, query or fragment",
                "problem: connections.main.client_id: is missing",
                "problem: connections.main.client_secret: is empty",
                "problem: connections.main.d1.algorithm: must be one of ES256, RS256",
                "problem: connections.main.d1.issuer: is not a known key",
                "problem: connections.main.d1.issuer_id: is missing",
                "problem: connections.main.d1.issuer_url: must be an absolute URL without credentials, query or fragment",
                "problem: connections.main.d1.keys: needs at least one key",
                "problem: connections.main.d1.service_rsa_exponent: is missing",
                "problem: connections.main.d1.service_rsa_modulus: is missing",
                "problem: connections.main.d1.service_url: "
                    + "must be https; plain http is for loopback, or for allow_http_hosts under test",
                "problem: connections.main.d1.timestamp_form: must be one of numeric, iso8601",
                "problem: connections.main.d1.ttl_seconds: must be a whole number from 1 to 900",
                "warning: connections.main.webhook_secrets: has no secret, so deliveries to this connection are refused",
            ])
        #expect(problems([("d1", nil)]) == ["problem: connections.main.d1: is missing"])
        #expect(problems([("d1", "x")]) == ["problem: connections.main.d1: must be a mapping"])
    }

    @Test(arguments: [
        ("ES256", "rsa.pem", "ES256 needs an EC key on P-256"), ("ES256", "p384.pem", "ES256 needs an EC key on P-256"),
        ("RS256", "p256.pem", "RS256 needs an RSA key of at least 2048 bits"),
        ("RS256", "rsa1024.pem", "RS256 needs an RSA key of at least 2048 bits"),
        ("ES256", "nowhere.pem", "nowhere.pem does not exist"),
    ])
    func aKeyOfAnotherKindStopsTheStart(_ algorithm: String, _ file: String, _ words: String) throws {
        let d1 = CheckoutHarness.d1([("algorithm", .text(SecretText(algorithm))), ("keys", [key(file)])])
        let found = problems(d1: d1)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("problem: connections.main.d1.keys[0].file: \(words)") == true, "\(found)")
    }

    @Test func exactlyOneKeyIsActive() {
        let first = key("p256.pem", id: "a", active: "true")
        #expect(problems(d1: CheckoutHarness.d1([("keys", [first, key("other.pem", id: "b")])])) == [])
        let none: SettingValue = [key("p256.pem", id: "a"), key("other.pem", id: "b")]
        let both: SettingValue = [first, key("other.pem", id: "b", active: "true")]
        for keys in [none, both] {
            #expect(
                problems(d1: CheckoutHarness.d1([("keys", keys)])) == [
                    "problem: connections.main.d1.keys: needs exactly one key with active: true"
                ])
        }
        let twice: SettingValue = [first, key("other.pem", id: "a")]
        #expect(
            problems(d1: CheckoutHarness.d1([("keys", twice)])) == [
                "problem: connections.main.d1.keys[1].key_id: is used by another key of the list"
            ])
        let spoiledSpare: SettingValue = [first, key("rsa.pem", id: "b")]
        #expect(problems(d1: CheckoutHarness.d1([("keys", spoiledSpare)])).count == 1)
    }

    /// J07: a time to live that was meant in milliseconds is refused, and 15 minutes themselves are too long.
    @Test(arguments: ["900000", "901", "0", "-1", "10m", "600.0"])
    func j07ALifeOfMoreThanFifteenMinutesIsRefused(_ text: String) {
        #expect(
            problems(d1: CheckoutHarness.d1([("ttl_seconds", .text(SecretText(text)))])) == [
                "problem: connections.main.d1.ttl_seconds: must be a whole number from 1 to 900"
            ])
    }

    /// J14: 900 becomes 899, and the operator is told.
    @Test func j14FifteenMinutesAreCutToLess() {
        #expect(
            problems(d1: CheckoutHarness.d1([("ttl_seconds", "900")])) == [
                "warning: connections.main.d1.ttl_seconds: must be less than 15 minutes, so 899 is used"
            ])
    }

    /// J01: there are two forms of time, and no third one.
    @Test func j01AnUnknownFormOfTimeIsRefused() {
        #expect(problems(d1: CheckoutHarness.d1([("timestamp_form", "iso8601")])) == [])
        #expect(problems(d1: CheckoutHarness.d1([("timestamp_form", "epoch_ms")])).count == 1)
    }

    /// J11: keys as they come out of environment variables and clipboards.
    @Test(
        arguments: [
            ("\\n as two characters", true), ("CR only", true), ("CR LF", true), ("trailing spaces", true),
            ("quotes", true), ("four dashes", false), ("cut short", false),
        ])
    func j11KeysAreRepairedOrRefusedByLine(_ damage: String, _ isRepaired: Bool) throws {
        let pem = TestKeys.p256
        let text =
            switch damage {
            case "\\n as two characters": pem.replacing("\n", with: "\\n")
            case "CR only": pem.replacing("\n", with: "\r")
            case "CR LF": pem.replacing("\n", with: "\r\n")
            case "trailing spaces": pem.replacing("\n", with: "  \n")
            case "quotes": "\"\(pem)\""
            case "four dashes": String(pem.dropFirst())
            default: String(pem.prefix(pem.count / 2))
            }
        let found = problems(d1: CheckoutHarness.d1([("keys", [key("k.pem")])]), files: ["k.pem": text])
        if isRepaired {
            #expect(found == [])
        } else {
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("problem: connections.main.d1.keys[0].file: ") == true)
            if damage == "four dashes" { #expect(found.first?.contains("Line 1 of the key") == true, "\(found)") }
        }
        #expect(!found.joined().contains(pem.split(separator: "\n")[1]))
    }

    /// G09: a sandbox under `live` stops the start.
    @Test(arguments: [
        ("base_url", "https://x.api.sandbox.checkout.com", "https://x.api.checkout.com"),
        (
            "access_url", "https://access.sandbox.checkout.com/connect/token",
            "https://access.checkout.com/connect/token"
        ),
    ])
    func g09SandboxAndLiveAreNotMixed(_ key: String, _ sandbox: String, _ live: String) {
        let others: [(key: String, value: SettingValue?)] = [
            ("base_url", "http://127.0.0.1:1"), ("access_url", "http://127.0.0.1:1/connect/token"),
        ]
        func found(_ url: String, _ environment: ConnectionSettings.Environment) -> [String] {
            problems(others.filter { $0.key != key } + [(key, .text(SecretText(url)))], environment)
        }
        #expect(
            found(sandbox, .live) == ["problem: connections.main.\(key): is a sandbox, but the environment is live"])
        #expect(found(live, .live) == [] && found(sandbox, .test) == [])
        #expect(
            found(live, .test) == ["warning: connections.main.\(key): serves real cards, but the environment is test"])
    }

    @Test func eachEnvironmentHasItsOwnTokenEndpoint() async throws {
        for (environment, host) in [(ConnectionSettings.Environment.live, ""), (.test, "sandbox.")] {
            let settings = TestSettings(
                [
                    ("client_id", "cli_invented"), ("client_secret", "s"), ("base_url", "http://127.0.0.1:1"),
                    ("scopes", ["issuing:card-mgmt", "more"]), ("d1", CheckoutHarness.d1()),
                ], environment: environment, files: TestKeys.files)
            let transport = ScriptedTransport(answers: [])
            let kit = AdapterKit.testing(transport, cryptography: OpenSSLCryptography())
            let provider = try #require(CheckoutProvider(settings: settings.reader(), kit: kit))
            _ = try? await provider.cardholderID(of: CheckoutHarness.card, deadline: .now + .seconds(5))
            let request = try #require(transport.requests.first)
            #expect(request.url == "https://access.\(host)checkout.com/connect/token")
            #expect(
                request.body?.revealText() == "grant_type=client_credentials&client_id=cli_invented&client_secret=s"
                    + "&scope=issuing%3Acard-mgmt%20more")
        }
    }
}
