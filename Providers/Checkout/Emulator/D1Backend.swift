public import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

/// Thales D1 as far as it looks at authorizations, simulated: it takes each once, and only one that is right in every
/// part that Checkout.com's page or D1's own names.
///
/// Upstream reference: <https://docs.payments.thalescloud.io/classic-push-provisioning/developer-guide/data-encryption-and-authentication/access-token-format>.
public final class D1Backend: Sendable {
    /// How `iat` and `exp` must be written.
    public enum TimestampForm: Sendable {
        /// Whole numbers: seconds since 1970.
        case numeric
        /// `2025-01-31T10:20:30.456`, in UTC.
        case iso8601
    }

    /// How far the issuer's clock may be ahead.
    static let leeway: Int64 = 60_000
    static let lifeLimit: Int64 = 900_000

    /// The issuer's id, as onboarding gives it.
    public let issuerID: String
    private let keys: [String: TokenVerifier]
    private let timestampForm: TimestampForm
    private let json: any JSONParsing
    private let clock: any WallClock
    private let seen = Mutex<Set<String>>([])

    /// A D1 that knows the issuer's public keys by their `kid`.
    public init(
        issuerID: String, keys: [String: TokenVerifier], timestampForm: TimestampForm = .numeric,
        json: any JSONParsing, clock: any WallClock = SandboxClock()
    ) {
        self.issuerID = issuerID
        self.keys = keys
        self.timestampForm = timestampForm
        self.json = json
        self.clock = clock
    }

    /// `iss`
    public var issuerURL: String { "https://oidc.d1.simulated.example/oidc/\(issuerID)" }
    /// `aud`
    public var audienceURL: String { "https://client-api.d1.simulated.example/oidc/\(issuerID)" }

    /// Takes an authorization.
    ///
    /// - Returns: The cardholder's id: `sub`.
    /// - Throws: ``D1Refusal``. An authorization that is refused is not spent.
    public func take(_ token: SecretText) throws(D1Refusal) -> String {
        let parts = token.reveal().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = object(parts[0]), let claims = object(parts[1]),
            let signature = Self.decoded(parts[2])
        else { throw .form }
        if let type = header["typ"], type.string?.uppercased() != "JWT" { throw .type }
        guard let key = header["kid"]?.string.flatMap({ keys[$0] }) else { throw .key }
        guard header["alg"]?.equals(key.algorithm) == true else { throw .algorithm }
        guard key.verifies(signature.reveal(), of: SecretBytes(utf8: "\(parts[0]).\(parts[1])")) else {
            throw .signature
        }
        let subject = try check(claims)
        guard let identifier = claims["jti"]?.string, !identifier.isEmpty else { throw .identifier }
        guard seen.withLock({ $0.insert(identifier).inserted }) else { throw .reused }
        return subject
    }

    /// Forgets which authorizations it has seen.
    public func reset() { seen.withLock { $0 = [] } }

    private func check(_ claims: JSONView) throws(D1Refusal) -> String {
        guard claims["iss"]?.equals(issuerURL) == true else { throw .issuer }
        guard claims["aud"]?.equals(audienceURL) == true else { throw .audience }
        guard claims["scope"]?.string?.split(separator: " ").contains("thales:d1") == true else { throw .scope }
        guard let subject = claims["sub"]?.string, !subject.isEmpty else { throw .subject }
        guard let issuedAt = moment(claims["iat"]), let expiresAt = moment(claims["exp"]) else { throw .time }
        let life = expiresAt.milliseconds - issuedAt.milliseconds
        guard life > 0, life < Self.lifeLimit else { throw .life }
        let now = clock.now
        guard issuedAt <= now.adding(milliseconds: Self.leeway) else { throw .early }
        guard now < expiresAt else { throw .expired }
        return subject
    }

    /// A time in the form agreed on. Thirteen digits are milliseconds, which nobody agreed on.
    private func moment(_ value: JSONView?) -> Timestamp? {
        switch timestampForm {
        case .numeric:
            guard let value, value.kind == .integer, let seconds = value.integer,
                (1..<100_000_000_000).contains(seconds)
            else { return nil }
            return Timestamp(seconds: Int64(seconds))
        case .iso8601:
            guard let text = value?.string, text.utf8.count == 23 else { return nil }
            return Timestamp(rfc3339: text + "Z")
        }
    }

    private func object(_ part: String) -> JSONView? {
        guard let bytes = Self.decoded(part), let view = try? json.parse(bytes).root, view.kind == .object else {
            return nil
        }
        return view
    }

    private static func decoded(_ part: String) -> SecretBytes? {
        part.contains("=") ? nil : Base64.decode(SecretBytes(utf8: part), alphabet: .urlSafe)
    }
}
