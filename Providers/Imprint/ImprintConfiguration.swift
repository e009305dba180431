import ProviderKit
import Provisioning

/// The settings of one connection to Imprint.
struct ImprintConfiguration: Sendable {
    /// What the key of a webhook's MAC is made of. Imprint's pages do not agree.
    enum WebhookKeyForm: String, Sendable, CaseIterable {
        /// The signing token's bytes.
        case utf8
        /// The 32 bytes of the token's SHA-256.
        case sha256
        /// The same as 64 lower-case hexadecimal digits.
        case sha256Hex = "sha256_hex"
    }

    /// Where the API stands: by default production under `live`, the sandbox under `test`.
    let baseURL: BaseURL
    /// `Authorization`, and `x-imprint-merchant-key` where one is given.
    let headers: [UpstreamRequest.Header]
    /// The signing tokens of the webhook enrolments, current first, as they are written.
    let webhookSecrets: [SecretText]
    /// What the key of a webhook's MAC is made of.
    let webhookKeyForm: WebhookKeyForm
    /// Whether Imprint serves Google Pay to this program.
    let hasGooglePay: Bool

    /// Reads `api_key`, `auth`, `merchant_key`, `base_url`, `google_pay`, `webhook_secrets` and `webhook_key_form`; nil
    /// where a problem was reported that forbids a connection.
    init?(_ settings: ConnectionSettings) {
        let authorization = Self.authorization(settings)
        let merchantKey = settings.has("merchant_key") ? settings.credential("merchant_key") : nil
        // Imprint's production host does begin with "dev".
        let baseURL = settings.url(
            "base_url",
            default: settings.environment == .live ? "https://dev.imprint.co" : "https://dev.sbx.imprint.co",
            sandboxHosts: ["dev.sbx.imprint.co"], liveHosts: ["dev.imprint.co"])
        hasGooglePay = settings.flag("google_pay", default: false)
        webhookKeyForm =
            WebhookKeyForm(
                rawValue: settings.choice(
                    "webhook_key_form", of: WebhookKeyForm.allCases.map(\.rawValue),
                    default: WebhookKeyForm.utf8.rawValue)) ?? .utf8
        webhookSecrets = settings.secrets("webhook_secrets")
        if webhookSecrets.isEmpty {
            settings.warning("webhook_secrets", "has no secret, so deliveries to this connection are refused")
        }
        guard let authorization, let baseURL else { return nil }
        self.baseURL = baseURL
        headers = [authorization] + (merchantKey.map { [.init("x-imprint-merchant-key", $0)] } ?? [])
    }

    /// Whether the connection serves the wallet.
    func serves(_ wallet: Wallet) -> Bool {
        switch wallet {
        case .applePay: true
        case .googlePay: hasGooglePay
        case .samsungPay: false
        }
    }

    /// `Authorization`, in the form that `auth` names: Imprint's pages name three.
    private static func authorization(_ settings: ConnectionSettings) -> UpstreamRequest.Header? {
        let form = settings.choice("auth", of: ["bearer", "basic_key", "basic_pair"], default: "bearer")
        guard let key = settings.credential("api_key") else { return nil }
        let pair = split(key)
        switch (form, pair) {
        case ("basic_pair", let (user, password)?) where !user.isEmpty && !password.isEmpty:
            return .basic(user: user, password: password)
        case ("basic_pair", _):
            settings.problem(
                "api_key", "must be the key's id and its secret with a colon between, for auth: basic_pair")
            return nil
        case ("basic_key", nil): return .basic(user: key, password: SecretText(""))
        case ("basic_key", _):
            settings.problem("api_key", "holds a colon, as id and secret do: that is auth: basic_pair")
            return nil
        default:
            if pair != nil {
                settings.warning("api_key", "holds a colon, as id and secret do: that is auth: basic_pair")
            }
            return .bearer(key)
        }
    }

    /// What stands before the first colon, and after it; nil where there is none.
    private static func split(_ key: SecretText) -> (SecretText, SecretText)? {
        key.bytes.withSpan { span -> (SecretText, SecretText)? in
            for index in 0..<span.count where span[index] == 0x3a {
                guard let before = text(span.extracting(0..<index)),
                    let after = text(span.extracting((index + 1)..<span.count))
                else { return nil }
                return (before, after)
            }
            return nil
        }
    }

    private static func text(_ span: Span<UInt8>) -> SecretText? {
        var builder = SecretBuilder(capacity: span.count)
        builder.append(span)
        return SecretText(utf8: builder.finish())
    }
}
