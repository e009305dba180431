import ProviderKit
import SecretMemory

/// The settings of one connection to Stripe.
struct StripeConfiguration: Sendable {
    /// The version that facts and fixtures were checked against: the Python package's, 16.1.0.
    static let defaultVersion = "2026-10-28.endive"

    /// Where the API stands. Test and live share the host: the key decides.
    let baseURL: BaseURL
    /// `Authorization: Bearer …`
    let authorization: UpstreamRequest.Header
    /// The connected account that the cards belong to; nil where they are the key's own account's.
    let account: String?
    /// The version of the calls that answer the gateway itself, and not an app.
    let version: StripeAPIVersion
    /// The endpoint secrets of webhooks, current first, as they are written.
    let webhookSecrets: [SecretText]

    /// Reads `secret_key`, `account`, `api_version`, `base_url` and `webhook_secrets`; nil where a problem was reported
    /// that forbids a connection.
    init?(_ settings: ConnectionSettings) {
        let kinds = ["sk", "rk", "pk"]
        let secretKey = settings.credential(
            "secret_key", testPrefixes: kinds.map { "\($0)_test_" }, livePrefixes: kinds.map { "\($0)_live_" })
        let isPublishable = secretKey.map(Self.isPublishable) ?? false
        if isPublishable { settings.problem("secret_key", "is a publishable key; sk_… or rk_… is needed") }
        let baseURL = settings.url("base_url", default: "https://api.stripe.com")
        account = settings.text("account", required: false)
        let isAccount = account?.wholeMatch(of: /acct_[A-Za-z0-9]{1,64}/) != nil
        if account != nil, !isAccount { settings.problem("account", "must be an account's id, such as acct_1A2b3C") }
        let version = settings.text("api_version", required: false) ?? Self.defaultVersion
        let parsed = StripeAPIVersion(version)
        if parsed == nil { settings.problem("api_version", "must be a date, or a date and a name: 2026-10-28.endive") }
        webhookSecrets = settings.secrets("webhook_secrets")
        if webhookSecrets.isEmpty {
            settings.warning("webhook_secrets", "has no secret, so deliveries to this connection are refused")
        }
        guard let secretKey, !isPublishable, let baseURL, let parsed, isAccount || !settings.has("account") else {
            return nil
        }
        self.baseURL = baseURL
        self.version = parsed
        authorization = .bearer(secretKey)
    }

    /// Whether the key is made for apps and pages, and opens nothing of Issuing.
    private static func isPublishable(_ key: SecretText) -> Bool {
        let prefix = "pk_".utf8.span
        return key.bytes.withSpan { span in
            guard span.count > prefix.count else { return false }
            for index in 0..<prefix.count where span[index] != prefix[index] { return false }
            return true
        }
    }
}
