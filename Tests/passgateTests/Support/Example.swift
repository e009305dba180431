import ConfigurationFile
import ProviderKit
import SecretMemory

@testable import passgate

/// A configuration that can be used, and readings of what differs from it.
enum Example {
    static let key = "pgk_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ"
    static let yaml = """
        public_url: "https://passgate.example/"
        server: { listen: "127.0.0.1:0", workers: 1 }
        admin: { listen: "127.0.0.1:0" }
        store: "sqlite:passgate.db"
        root_secrets: ["000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"]
        connections:
          main: { provider: increase, environment: live, api_key: "key_of_main", webhook_secrets: ["whsec_1"] }
          spare: { provider: increase, environment: live, api_key: "key_of_spare", webhook_secrets: ["whsec_2"] }
          lab:
            provider: increase
            environment: test
            api_key: "key_of_lab"
            webhook_secrets: ["whsec_3"]
            base_url: "http://127.0.0.1:9/increase"
        programs:
          rides: { connection: main, connections: [main, spare], display_name: "Rides", wallets: [apple_pay] }
          trial: { connection: lab }
        api_keys:
          - { name: backend, key: "\(key)", scopes: ["cards:write", "cards:read"], programs: [rides] }
        deadlines: { provisioning_ms: 15000 }
        limits: { body_bytes: 262144, in_flight_per_connection: 12 }
        retention: { provisionings_days: 30 }
        event_destinations: { allow_private: true }
        """

    /// The configuration, with `old` replaced by `new`.
    static func yaml(_ old: String, _ new: String) -> String { yaml.replacing(old, with: new) }

    /// Reads a text as `serve` would.
    static func read(_ yaml: String, folder: String = "", environment: [String: String] = [:]) -> (
        configuration: Configuration?, problems: [LocatedProblem]
    ) {
        let source = ConfigurationSource(text: yaml, folder: folder) { name in
            environment[name].map { SecretText($0) }
        }
        return ConfigurationReader(source: source, makeKit: { _, _ in .offline }).read()
    }
}
