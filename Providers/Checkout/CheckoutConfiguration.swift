import ProviderKit

/// The settings of one connection to Checkout.com.
struct CheckoutConfiguration: Sendable {
    /// Where the API stands: a host of the client's own.
    let baseURL: BaseURL
    /// Where access tokens are given.
    let accessURL: BaseURL
    /// The OAuth client.
    let clientID: SecretText
    /// Its secret.
    let clientSecret: SecretText
    /// What the access token is asked to cover, separated by spaces.
    let scopes: SecretText
    /// The signature keys of the workflows, current first.
    let webhookSecrets: [SecretText]
    /// How authorizations are made.
    let d1: D1Configuration

    /// Reads the settings; nil where a problem was reported that forbids a connection.
    init?(_ settings: ConnectionSettings, kit: AdapterKit) {
        let clientID = settings.credential("client_id")
        let clientSecret = settings.credential("client_secret")
        let isLive = settings.environment == .live
        let baseURL = Self.url("base_url", in: settings)
        let accessURL = Self.url(
            "access_url",
            default: "https://access.\(isLive ? "" : "sandbox.")checkout.com/connect/token", in: settings)
        let scopes = settings.secrets("scopes").map { $0.reveal() }
        self.scopes = SecretText(scopes.isEmpty ? "issuing:card-management-read" : scopes.joined(separator: " "))
        webhookSecrets = settings.secrets("webhook_secrets")
        if webhookSecrets.isEmpty {
            settings.warning("webhook_secrets", "has no secret, so deliveries to this connection are refused")
        }
        let section = settings.section("d1")
        if !settings.has("d1") { settings.problem("d1", "is missing") }
        let d1 = section.flatMap { D1Configuration($0, kit: kit) }
        guard let clientID, let clientSecret, let baseURL, let accessURL, let d1 else { return nil }
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.baseURL = baseURL
        self.accessURL = accessURL
        self.d1 = d1
    }

    /// A URL of Checkout.com: a sandbox's is a problem under `live`, one for real cards is worth a warning under `test`.
    private static func url(_ key: String, default fallback: String? = nil, in settings: ConnectionSettings) -> BaseURL?
    {
        guard let url = settings.url(key, default: fallback) else { return nil }
        let isSandbox = ".\(url.host)".hasSuffix(".sandbox.checkout.com")
        if settings.environment == .live, isSandbox {
            settings.problem(key, "is a sandbox, but the environment is live")
            return nil
        }
        if settings.environment == .test, !isSandbox, ".\(url.host)".hasSuffix(".checkout.com") {
            settings.warning(key, "serves real cards, but the environment is test")
        }
        return url
    }
}
