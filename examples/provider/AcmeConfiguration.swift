import ProviderKit
import Provisioning

/// The settings of one connection to Acme.
struct AcmeConfiguration: Sendable {
    /// Where the API stands.
    let baseURL: BaseURL
    /// `Authorization: Bearer …`
    let authorization: UpstreamRequest.Header

    /// Reads `api_key` and `base_url`; nil where a problem was reported that forbids a connection.
    init?(_ settings: ConnectionSettings) {
        let apiKey = settings.credential("api_key", testPrefixes: ["test_"])
        let baseURL = settings.url(
            "base_url",
            default: settings.environment == .live ? "https://api.acme.example" : "https://sandbox.acme.example",
            sandboxHosts: ["sandbox.acme.example"], liveHosts: ["api.acme.example"])
        guard let apiKey, let baseURL else { return nil }
        self.baseURL = baseURL
        authorization = .bearer(apiKey)
    }
}
