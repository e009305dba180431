import Gateway
import Provisioning

/// Reads the body of `POST /v1/cards/{card}/wallet_credentials`.
struct CredentialBody {
    static let request = KnownMembers(["purpose", "wallet", "token"])

    let purpose: WalletCredentialPurpose
    let wallet: Wallet?
    let token: String?

    /// The wish that a body holds.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody) throws(Problem) -> CredentialBody {
        let findings = Findings()
        let reader = body.reader(known: request, findings: findings)
        reader.require("purpose")
        let purpose: WalletCredentialPurpose? = reader.word("purpose")
        let wish = CredentialBody(
            purpose: purpose ?? .state, wallet: reader.word("wallet"), token: reader.text("token", limit: 128))
        try findings.throwAny()
        return wish
    }
}
