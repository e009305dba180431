import ProviderKit
public import Provisioning
import SecretMemory

extension ThalesProvider: WalletCredentials {
    /// A code is for activating a token; the SDK asks for no other.
    public static var credentialPurposes: Set<WalletCredentialPurpose> { [.activate] }

    /// A code that lets the SDK activate a token which waits for it: its `sub` is the token's id at Thales.
    ///
    /// - Throws: `operation_unsupported` for another purpose, `invalid_request` where the token or the wallet is missing.
    public func credential(_ request: WalletCredentialRequest) async throws(ProvisioningError) -> WalletCredential {
        guard Self.credentialPurposes.contains(request.purpose) else {
            throw ProvisioningError(.operationUnsupported, outcome: .notSent)
        }
        guard let token = request.token, Self.isTokenID(token) else {
            throw ProvisioningError(
                .invalidRequest, outcome: .notSent, pointer: "/token",
                detail: request.token == nil
                    ? "is missing; a code that activates is for one token"
                    : "must be the token's id at Thales: 1 to 128 visible ASCII characters")
        }
        guard let wallet = request.wallet else {
            throw ProvisioningError(
                .invalidRequest, outcome: .notSent, pointer: "/wallet", detail: "is missing; a code is for one wallet")
        }
        let code = try authorizationCode(subject: token, wallet: wallet)
        return WalletCredential(purpose: .activate, token: code.token, expiresAt: code.expiresAt)
    }

    /// A code for one wallet. Two codes never have the same `jti`.
    ///
    /// Upstream reference: `authorization-code-jwt-format` of the classic push provisioning guide.
    func authorizationCode(subject: String, wallet: Wallet) throws(ProvisioningError) -> (
        token: SecretText, expiresAt: Timestamp
    ) {
        let issuedAt = clock.now.seconds
        let expiresAt = issuedAt + Int64(configuration.timeToLive)
        do throws(CryptographyFailure) {
            let identifier = Base64.encode(cryptography.random(16), alphabet: .urlSafe, padded: false)
            let token = try configuration.signer.token { json in
                json.member("iss", configuration.issuerID)
                json.member("sub", subject)
                json.member("aud", wallet.thalesAudience)
                json.member("iat", Int(issuedAt))
                json.member("exp", Int(expiresAt))
                json.member("jti", identifier)
            }
            return (token, Timestamp(seconds: expiresAt))
        } catch {
            throw ProvisioningError(.internalError, outcome: .notSent)
        }
    }

    /// The form of token ids is not published; each network has its own. They stand in a code and in no URL.
    private static func isTokenID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}
