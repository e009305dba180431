public import PassgateContract

/// A wish for a credential.
public struct CredentialRequest: Codable, Hashable, Sendable {
    /// What it is for.
    public var purpose: CredentialPurpose
    /// The wallet, where the purpose needs one.
    public var wallet: Wallet?
    /// The token, where the purpose needs one.
    public var token: String?

    /// Makes it of its members.
    public init(purpose: CredentialPurpose, wallet: Wallet? = nil, token: String? = nil) {
        self.purpose = purpose
        self.wallet = wallet
        self.token = token
    }
}
