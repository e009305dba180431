import ProviderKit

/// How authorizations for Thales D1 are made, and what the SDK is told beside them.
struct D1Configuration: Sendable {
    /// How `iat` and `exp` are written. The page shows texts; D1's own page wants numbers.
    enum TimestampForm: String, CaseIterable, Sendable {
        /// Whole seconds since 1970.
        case numeric
        /// `2025-01-31T10:20:30.456`: UTC, milliseconds, no zone.
        case iso8601
    }

    /// An authorization lives less than this many seconds.
    static let lifeLimit = 900

    /// The issuer's id from onboarding.
    let issuerID: String
    /// Signs with the active key.
    let signer: TokenSigner
    /// `iss`
    let issuer: String
    /// `aud`
    let audience: String
    /// `scope`
    let scope: String
    /// How long an authorization lives, in seconds.
    let life: Int
    /// How its times are written.
    let timestampForm: TimestampForm
    /// Whether each has a `jti`.
    let hasIdentifier: Bool
    /// For the SDK: where D1 stands.
    let serviceURL: String
    /// For the SDK: where digital cards are handled.
    let digitalCardURL: String
    /// For the SDK: the modulus of D1's key, as onboarding gives it.
    let serviceRSAModulus: String
    /// For the SDK: its exponent, likewise.
    let serviceRSAExponent: String

    /// Reads `d1`; nil where a problem was reported.
    init?(_ settings: ConnectionSettings, kit: AdapterKit) {
        let issuerID = settings.text("issuer_id")
        let algorithm = settings.choice("algorithm", of: ["ES256", "RS256"], default: "ES256")
        let signer = settings.signingKey(algorithm: algorithm, namesType: false, kit: kit)
        let issuer = Self.url("issuer_url", in: settings)
        let audience = Self.url(
            "audience_url", default: issuerID.map { "https://client-api.d1.thalescloud.io/oidc/\($0)" }, in: settings)
        let scope = settings.text("scope", required: false) ?? "thales:d1"
        let life = settings.integer("ttl_seconds", in: 1...Self.lifeLimit, default: 600)
        if life == Self.lifeLimit {
            settings.warning("ttl_seconds", "must be less than 15 minutes, so 899 is used")
        }
        let forms = TimestampForm.allCases.map(\.rawValue)
        let form = settings.choice("timestamp_form", of: forms, default: TimestampForm.numeric.rawValue)
        let hasIdentifier = settings.flag("jti", default: true)
        let serviceURL = Self.url("service_url", default: "https://client-api.d1.thalescloud.io/", in: settings)
        let digitalCardURL = Self.url(
            "digital_card_url", default: "https://hapi.dbp.thalescloud.io/mg/tpc", in: settings)
        let modulus = settings.text("service_rsa_modulus")
        let exponent = settings.text("service_rsa_exponent")
        guard let issuerID, let signer, let issuer, let audience, let serviceURL, let digitalCardURL, let modulus,
            let exponent
        else { return nil }
        self.issuerID = issuerID
        self.signer = signer
        self.issuer = issuer
        self.audience = audience
        self.scope = scope
        self.life = min(life, Self.lifeLimit - 1)
        self.timestampForm = TimestampForm(rawValue: form) ?? .numeric
        self.hasIdentifier = hasIdentifier
        self.serviceURL = serviceURL
        self.digitalCardURL = digitalCardURL
        serviceRSAModulus = modulus
        serviceRSAExponent = exponent
    }

    /// A URL that is handed on as it is written: D1 compares texts.
    private static func url(_ key: String, default fallback: String? = nil, in settings: ConnectionSettings) -> String?
    {
        guard settings.has(key) || fallback != nil else {
            // Without an issuer id there is no default; that it is missing has been said.
            if key != "audience_url" { settings.problem(key, "is missing") }
            return nil
        }
        guard settings.url(key, default: fallback) != nil else { return nil }
        return settings.text(key, required: false) ?? fallback
    }
}
