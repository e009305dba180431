import ProviderKit

/// The settings of one connection to Increase.
struct IncreaseConfiguration: Sendable {
    /// Where the API stands: by default production under `live`, the sandbox under `test`.
    let baseURL: BaseURL
    /// `Authorization: Bearer …`
    let authorization: UpstreamRequest.Header
    /// The shared secrets of the event subscriptions, current first, as they are written.
    let webhookSecrets: [SecretText]

    /// Reads `api_key`, `base_url` and `webhook_secrets`; nil where a problem was reported that forbids a connection.
    init?(_ settings: ConnectionSettings) {
        let apiKey = settings.credential("api_key", testPrefixes: ["sandbox_"])
        let baseURL = settings.url(
            "base_url",
            default: settings.environment == .live ? "https://api.increase.com" : "https://sandbox.increase.com",
            sandboxHosts: ["sandbox.increase.com"], liveHosts: ["api.increase.com"])
        webhookSecrets = settings.secrets("webhook_secrets")
        if webhookSecrets.isEmpty {
            settings.warning("webhook_secrets", "has no secret, so deliveries to this connection are refused")
        }
        guard let apiKey, let baseURL else { return nil }
        self.baseURL = baseURL
        authorization = .bearer(apiKey)
    }
}
