import Crypto
import ProviderKit
import ProviderTesting
import SecretMemory
import Testing
import ThalesProvider

@Suite("How a connection to Thales is configured")
struct ThalesConfigurationTests {
    /// The problems of settings, without the warning that every vault brings.
    private func problems(_ settings: TestSettings) -> [String] {
        let reader = settings.reader()
        let kit = AdapterKit.testing(ScriptedTransport(answers: []), cryptography: OpenSSLCryptography())
        _ = ThalesProvider(settings: reader, kit: kit)
        reader.reportUnknownKeys()
        return settings.problems.filter { !$0.contains("PAN scope") }.sorted()
    }

    private func problems(_ changes: [(key: String, value: SettingValue)], without removed: Set<String> = [])
        -> [String]
    {
        problems(ThalesHarness.settings(with: changes, without: removed))
    }

    private func settings(keys: [SettingValue], files: [String: String]) -> TestSettings {
        TestSettings([("issuer_id", "I"), ("keys", .list(keys))], files: files)
    }

    @Test func aVaultIsAWarningAndNotAProblem() throws {
        let settings = ThalesHarness.settings()
        _ = try ThalesHarness.provider(ScriptedTransport(answers: []), settings)
        #expect(
            settings.problems == [
                "warning: connections.main.card_source: puts the gateway in PAN scope: card numbers pass through its "
                    + "memory, and PCI DSS applies"
            ])
    }

    @Test func withoutAVaultThereIsNothingToWarnOf() throws {
        let settings = ThalesHarness.settings(without: ["card_source", "encryption_certificate"])
        _ = try ThalesHarness.provider(ScriptedTransport(answers: []), settings)
        #expect(settings.problems == [])
    }

    @Test func everyKeyIsKnown() {
        let all: [(key: String, value: SettingValue)] = [
            ("ttl_seconds", "300"), ("key_transport", "oaep-sha256"), ("payload_form", "hex"),
        ]
        #expect(problems(all) == [])
        #expect(problems([("key_transport", "pkcs1v15"), ("payload_form", "base64"), ("ttl_seconds", "1")]) == [])
    }

    @Test func everyProblemIsReportedAtOnce() {
        let settings = TestSettings([
            ("issuer_id", " "), ("keys", .list([])), ("ttl_seconds", "301"), ("payload_form", "base32"),
            ("key_transport", "oaep-sha1"), ("card_source", .mapping([("uri", "https://vault.example")])),
        ])
        #expect(
            problems(settings) == [
                "problem: connections.main.card_source.token: is missing",
                "problem: connections.main.card_source.uri: is not a known key; did you mean url?",
                "problem: connections.main.card_source.url: is missing",
                "problem: connections.main.encryption_certificate: is missing",
                "problem: connections.main.issuer_id: is empty",
                "problem: connections.main.key_transport: must be one of oaep-sha256, pkcs1v15",
                "problem: connections.main.keys: needs at least one key",
                "problem: connections.main.payload_form: must be one of hex, base64",
                "problem: connections.main.ttl_seconds: must be a whole number from 1 to 300",
            ])
    }

    /// J07: a life in milliseconds is no life in seconds.
    @Test(arguments: ["0", "-1", "301", "300000", "5m", "1.5"])
    func j07ACodeLivesForSecondsAndFor300AtMost(_ seconds: String) {
        #expect(
            problems([("ttl_seconds", .text(SecretText(seconds)))]) == [
                "problem: connections.main.ttl_seconds: must be a whole number from 1 to 300"
            ])
    }

    /// T02: RSA under 2048 bits is refused at the start, by the key's path.
    @Test func t02ShortRSAKeysAreRefused() throws {
        let short = try RSAPrivateKey(bits: 1024)
        let certificate = try ThalesHarness.certificate(for: short.publicKey)
        #expect(
            problems([("encryption_certificate", .text(SecretText(certificate)))]) == [
                "problem: connections.main.encryption_certificate: The certificate's key must be an RSA key of at least "
                    + "2048 bits."
            ])
        let settings = settings(
            keys: [ThalesHarness.key("a", "short.pem")], files: ["short.pem": try short.pem().reveal()])
        #expect(
            problems(settings) == [
                "problem: connections.main.keys[0].file: RS256 needs an RSA key of at least 2048 bits; this is an RSA key "
                    + "of 1024 bits."
            ])
    }

    @Test func keysOfAnotherKindAreRefused() throws {
        let elliptic = try P256PrivateKey()
        let certificate = try ThalesHarness.certificate(for: elliptic.publicKey)
        #expect(problems([("encryption_certificate", .text(SecretText(certificate)))]).count == 1)
        let settings = settings(
            keys: [ThalesHarness.key("a", "ec.pem")], files: ["ec.pem": try elliptic.pem().reveal()])
        #expect(
            problems(settings) == [
                "problem: connections.main.keys[0].file: RS256 needs an RSA key of at least 2048 bits; this is an EC key on "
                    + "P-256."
            ])
    }

    @Test func aDamagedCertificateIsAMistakeEvenWhereItIsNotNeeded() {
        #expect(problems([("encryption_certificate", "nothing")], without: ["card_source"]).count == 1)
    }

    @Test func ofSeveralKeysOneIsActive() throws {
        let spare = try RSAPrivateKey().pem().reveal()
        let files = ["a.pem": ThalesHarness.issuerPEM, "b.pem": spare]
        func found(_ first: String, _ second: String) -> [String] {
            problems(
                settings(
                    keys: [
                        ThalesHarness.key("a", "a.pem", active: first), ThalesHarness.key("b", "b.pem", active: second),
                    ], files: files))
        }
        #expect(found("true", "false") == [])
        #expect(found("true", "true") == ["problem: connections.main.keys: needs exactly one key with active: true"])
        #expect(found("false", "false") == ["problem: connections.main.keys: needs exactly one key with active: true"])
    }

    @Test func theVaultIsReachedSafely() {
        for url in [
            "http://vault.example/cards/{provider_card_id}", "https://vault.example/cards",
            "https://vault.example/{provider_card_id}/{provider_card_id}", "https://{provider_card_id}.vault.example/",
            "https://user:canary@vault.example/{provider_card_id}", "https://vault.example/?id={provider_card_id}",
            "/cards/{provider_card_id}",
        ] {
            let found = problems([("card_source", ThalesHarness.source(url: url))])
            #expect(found.count == 1 && found[0].hasPrefix("problem: connections.main.card_source.url: "))
            #expect(!found.joined().contains("canary"))
        }
        #expect(problems([("card_source", ThalesHarness.source(url: "http://127.0.0.1:9/{provider_card_id}"))]) == [])
        #expect(problems([("card_source", ThalesHarness.source(token: "two words"))]).count == 1)
    }

    @Test func noProblemShowsASecret() {
        let found = problems([
            ("card_source", ThalesHarness.source(url: "ftp://x", token: "tok en-canary")),
            ("encryption_certificate", .text(SecretText(ThalesHarness.issuerPEM))),
        ])
        #expect(found.count == 3)
        #expect(!found.joined().contains("canary") && !found.joined().contains("BEGIN"))
    }
}
