import ConfigurationFile
import ProviderKit
import Testing

@testable import passgate

@Suite("A configuration's problems are named by their key path")
struct ConfigurationProblemTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let keyPath: String
        let says: String
        init(_ old: String, _ new: String, at keyPath: String, _ says: String) {
            (self.old, self.new, self.keyPath, self.says) = (old, new, keyPath, says)
        }
        var testDescription: String { "\(keyPath) \(says): \(new)" }
    }

    /// A certificate whose key nobody has, on one line as it stands between quotes in YAML. It ends in 2126.
    static let certificate = """
        -----BEGIN CERTIFICATE-----\\n\
        MIIBeTCCAR+gAwIBAgIUYDTg4+tQYTraZt0WVxcmzQhYwEowCgYIKoZIzj0EAwIw\\n\
        ETEPMA0GA1UEAwwGY2xpZW50MCAXDTI2MTEzMDEyMTA0NVoYDzIxMjYxMTA2MTIx\\n\
        MDQ1WjARMQ8wDQYDVQQDDAZjbGllbnQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC\\n\
        AAS7cHHY7H7C0aJUwr6seiVRwnptEhUgt34aZSGN4dtleUUmGtixOz/n+5tAXn7H\\n\
        yAxla8Dl/KFfDey6O5/AZXn2o1MwUTAdBgNVHQ4EFgQUAm6m2K/ERSyaVtq9S8+1\\n\
        E0BACw8wHwYDVR0jBBgwFoAUAm6m2K/ERSyaVtq9S8+1E0BACw8wDwYDVR0TAQH/\\n\
        BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAn7BaEwfzbbgIF4cKCZkPNMsqKKlrk\\n\
        IBeX9At3weDtYAIhANxCRzOttMXAh73MQV2BEjyOAaoqlS8yDvrUU+ISEjpa\\n\
        -----END CERTIFICATE-----
        """

    @Test(arguments: [
        Case("https://passgate.example/", "passgate.example", at: "public_url", "must be a URL"),
        Case("workers: 1", "workers: 0", at: "server.workers", "auto"),
        Case("workers: 1", "drain_delay_ms: 60001", at: "server.drain_delay_ms", "from 0 to 60000"),
        Case("workers: 1", "wrokers: 1", at: "server.wrokers", "did you mean workers?"),
        Case("server: { listen: \"127.0.0.1:0\"", "server: { listen: 8080", at: "server.listen", "port"),
        Case("server: { listen: \"127.0.0.1:0\"", "server: { listen: \"a.example:1\"", at: "server.listen", "IP"),
        Case("server: { listen: \"127.0.0.1:0\", workers: 1 }", "server: 8080", at: "server", "mapping"),
        Case(
            "admin: { listen: \"127.0.0.1:0\" }", "admin: { listen: \"127.0.0.1:8080\" }\nx: 1", at: "x",
            "not a known key"),
        Case("sqlite:passgate.db", "postgres://user@host/db?nonsense=1", at: "store", "no URL"),
        Case("sqlite:passgate.db", "mysql://user@host/db", at: "store", "postgres://"),
        Case("sqlite:passgate.db", "passgate.db", at: "store", "sqlite:FILE"),
        Case("root_secrets:", "root_secret:", at: "root_secrets", "is missing"),
        Case("root_secrets:", "root_secret:", at: "root_secret", "did you mean root_secrets?"),
        Case("\"00010203", "\"", at: "root_secrets[0]", "at least 32 bytes"),
        Case("root_secrets: [", "root_secrets: [\"\", ", at: "root_secrets[0]", "is empty"),
        Case(
            "provider: increase, environment: live, api_key: \"key_of_main\"", "provider: increaze, environment: live",
            at: "connections.main.provider", "increase"),
        Case("main: { provider: increase, ", "main: { ", at: "connections.main.provider", "is missing"),
        Case("environment: test", "environment: prod", at: "connections.lab.environment", "live or test"),
        Case("environment: test", "proxy: \"x\"", at: "connections.lab.environment", "is missing"),
        Case("\"key_of_main\"", "\"\"", at: "connections.main.api_key", "is empty"),
        Case("\"key_of_main\"", "[a]", at: "connections.main.api_key", "must be a text"),
        Case("api_key: \"key_of_main\"", "api_kye: x", at: "connections.main.api_kye", "did you mean api_key?"),
        Case("api_key: \"key_of_main\"", "api_kye: x", at: "connections.main.api_key", "is missing"),
        Case("  main: {", "  \"ma in\": {", at: "connections.ma in", "letters, digits"),
        Case("http://127.0.0.1:9/increase", "http://upstream.example", at: "connections.lab.base_url", "https"),
        Case(
            "\"key_of_main\"", "\"key_of_main\", base_url: \"https://sandbox.increase.com\"",
            at: "connections.main.base_url", "sandbox"),
        Case(
            "\"key_of_main\"", "\"key_of_main\", allow_http_hosts: [a.example]",
            at: "connections.main.allow_http_hosts", "test only"),
        Case("\"key_of_main\"", "\"key_of_main\", ca: \"/etc/ca.pem\"", at: "connections.main.ca", "PEM"),
        Case(
            "\"key_of_main\"",
            "\"key_of_main\", ca: \"-----BEGIN CERTIFICATE-----\\nAAAA\\n-----END CERTIFICATE-----\"",
            at: "connections.main.ca", "certificate 1"),
        Case(
            "\"key_of_main\"",
            "\"key_of_main\", client_certificate: x, client_key: \"-----BEGIN ENCRYPTED PRIVATE KEY-----\"",
            at: "connections.main.client_key", "passphrase"),
        Case(
            "\"key_of_main\"", "\"key_of_main\", client_key: \"-----BEGIN PRIVATE KEY-----\"",
            at: "connections.main.client_certificate", "go together"),
        Case(
            "\"key_of_main\"",
            "\"key_of_main\", client_certificate: \"\(certificate)\", client_key: \"-----BEGIN PRIVATE KEY-----\\nAAAA\\n"
                + "-----END PRIVATE KEY-----\"",
            at: "connections.main.client_key", "damaged"),
        Case(
            "\"key_of_main\"", "\"key_of_main\", base_url: \"https://sandbox.increase.com.\"",
            at: "connections.main.base_url", "absolute URL"),
        Case(
            "\"key_of_main\"", "\"key_of_main\", rate_per_second: 0", at: "connections.main.rate_per_second", "above 0"),
        Case("\"key_of_main\"", "\"key_of_main\", in_flight: many", at: "connections.main.in_flight", "1 to 65536"),
        Case("\"key_of_main\"", "\"key_of_main\", proxy: \"proxy.example\"", at: "connections.main.proxy", "URL"),
        Case("connection: main", "connection: mian", at: "programs.rides.connection", "did you mean main?"),
        Case("[main, spare]", "[main, spare, none]", at: "programs.rides.connections[2]", "no connection"),
        Case("[main, spare]", "[spare]", at: "programs.rides.connections", "main"),
        Case("[main, spare]", "[main, lab]", at: "programs.rides.connections", "mixes live"),
        Case("[main, spare]", "main", at: "programs.rides.connections", "must be a list"),
        Case("wallets: [apple_pay]", "wallets: [apple]", at: "programs.rides.wallets[0]", "apple_pay"),
        Case(
            "connection: lab", "connection: lab, require_cardholder: yes", at: "programs.trial.require_cardholder",
            "true, false"),
        Case(
            "connection: lab", "connection: lab, max_authentication_age: 0",
            at: "programs.trial.max_authentication_age", "whole number"),
        Case("\(Example.key)", "abc", at: "api_keys[0].key", "pgk_"),
        Case("\(Example.key)", "pgk_0123456789abcdef0123456789abcde", at: "api_keys[0].key", "32 characters"),
        Case("key: \"\(Example.key)\", ", "", at: "api_keys[0].key", "key_sha256"),
        Case("key: \"\(Example.key)\"", "key_sha256: abc", at: "api_keys[0].key_sha256", "64 hex digits"),
        Case("cards:write", "cards:wirte", at: "api_keys[0].scopes[0]", "did you mean cards:write?"),
        Case("scopes: [\"cards:write\", \"cards:read\"], ", "", at: "api_keys[0].scopes", "is missing"),
        Case("programs: [rides]", "programs: [ride]", at: "api_keys[0].programs[0]", "did you mean rides?"),
        Case("provisioning_ms: 15000", "provisioning_ms: 15s", at: "deadlines.provisioning_ms", "100 to 60000"),
        Case("body_bytes: 262144", "body_bytes: 1", at: "limits.body_bytes", "1024 to"),
        Case("provisionings_days: 30", "provisionings_days: 0", at: "retention.provisionings_days", "1 to 3650"),
        Case("allow_private: true", "allow_private: maybe", at: "event_destinations.allow_private", "true, false"),
        Case("store:", "store: \"sqlite:a\"\nstore:", at: "store", "given twice"),
        Case("\"key_of_main\"", "\"key_of_main\", api_key: x", at: "connections.main.api_key", "given twice"),
        Case(
            "\"key_of_main\"", "\"${PASSGATE_NOWHERE}\"", at: "connections.main.api_key", "PASSGATE_NOWHERE is not set"),
        Case("\"key_of_main\"", "\"file:nowhere\"", at: "connections.main.api_key", "does not exist"),
        Case("\"key_of_main\"", "\"${\"", at: "connections.main.api_key", "variable's name"),
        Case("\"key_of_main\"", "*main", at: "connections.main.api_key", "aliases"),
    ])
    func namesTheKeyPath(_ example: Case) {
        let (configuration, problems) = Example.read(Example.yaml(example.old, example.new))
        #expect(configuration == nil)
        #expect(
            problems.contains { $0.problem.keyPath == example.keyPath && $0.problem.message.contains(example.says) },
            "\(problems.map(\.problem))")
    }

    @Test func namesEveryProblemAtOnce() {
        let (configuration, problems) = Example.read(
            """
            sever: {}
            store: "mysql:x"
            root_secrets: ["short", "${UNSET}"]
            connections:
              main: { provider: increase, environment: live }
              other: { provider: nobody, environment: test }
            programs:
              rides: { connection: gone }
            api_keys:
              - { name: a, key: "x", scopes: [nothing] }
            """)
        #expect(configuration == nil)
        #expect(
            Set(problems.filter { $0.problem.severity == .problem }.map(\.problem.keyPath)) == [
                "sever", "store", "root_secrets[0]", "root_secrets[1]", "connections.main.api_key",
                "connections.other.provider", "programs.rides.connection", "api_keys[0].key", "api_keys[0].scopes[0]",
            ])
    }

    @Test func saysNothingOfWhatFollowsFromAnotherProblem() {
        let (_, problems) = Example.read(Example.yaml("\"key_of_main\"", "\"${UNSET}\""))
        #expect(problems.map(\.problem.keyPath) == ["connections.main.api_key"])
    }

    @Test func namesTheLine() {
        let (_, problems) = Example.read(Example.yaml("\"key_of_lab\"", "\"\""))
        #expect(problems.map(\.line) == [12])
    }

    @Test(arguments: ["", "just text", "[a, b]", "a: [", "a: 1\n---\nb: 2"])
    func refusesWhatIsNoConfiguration(yaml: String) {
        let (configuration, problems) = Example.read(yaml)
        #expect(configuration == nil)
        #expect(!problems.isEmpty)
    }

    @Test func quotesNoSecret() {
        let yaml = Example.yaml
            .replacing("\"key_of_main\"", with: "[\"key_of_main\"]").replacing(Example.key, with: "hunter2")
            .replacing("\"00010203", with: "\"0abc")
        let (_, problems) = Example.read(yaml)
        let text = ProblemReport(path: "passgate.yaml", problems: problems).lines.joined()
        #expect(problems.count >= 3)
        for secret in ["key_of_main", "hunter2", "0abc"] { #expect(!text.contains(secret)) }
    }
}
