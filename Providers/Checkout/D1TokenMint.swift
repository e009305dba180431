import ProviderKit
import Provisioning

/// Makes the authorizations: JSON Web Tokens, each a new one.
///
/// Upstream reference: <https://docs.payments.thalescloud.io/classic-push-provisioning/developer-guide/data-encryption-and-authentication/access-token-format>,
/// and the table "Provide a JSON Web Token" of Checkout.com's page.
struct D1TokenMint: Sendable {
    private let d1: D1Configuration
    private let clock: any WallClock
    private let random: @Sendable (Int) -> [UInt8]

    /// Signs as the connection is configured.
    init(_ d1: D1Configuration, kit: AdapterKit) {
        self.d1 = d1
        clock = kit.clock
        random = { kit.cryptography.random($0) }
    }

    /// A token for the cardholder, from now on for as long as the connection says.
    ///
    /// - Throws: `internal_error`, nothing sent, where the key cannot sign.
    func token(for cardholderID: String) throws(ProvisioningError) -> (jwt: SecretText, expiresAt: Timestamp) {
        let issuedAt = d1.timestampForm == .numeric ? Timestamp(seconds: clock.now.seconds) : clock.now
        let expiresAt = issuedAt.adding(milliseconds: Int64(d1.life) * 1000)
        do throws(CryptographyFailure) {
            let jwt = try d1.signer.token { json in
                json.member("aud", d1.audience)
                json.member("scope", d1.scope)
                json.member("iss", d1.issuer)
                write("exp", expiresAt, into: &json)
                json.member("sub", cardholderID)
                write("iat", issuedAt, into: &json)
                if d1.hasIdentifier {
                    json.member("jti", Base64.encode(random(16), alphabet: .urlSafe, padded: false))
                }
            }
            return (jwt, expiresAt)
        } catch {
            throw ProvisioningError(.internalError, outcome: .notSent, detail: "The authorization could not be signed.")
        }
    }

    private func write(_ name: String, _ moment: Timestamp, into json: inout JSONWriter) {
        switch d1.timestampForm {
        case .numeric: json.member(name, Int(moment.seconds))
        case .iso8601: json.member(name, String(moment.rfc3339.dropLast()))
        }
    }
}
