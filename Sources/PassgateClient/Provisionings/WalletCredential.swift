public import PassgateContract

/// A short-lived credential for a vendor's SDK. Its token is seen once, and never shown.
public struct WalletCredential: Codable, Hashable, Sendable, Concealed {
    /// `wallet_credential`
    public let object: String
    /// What it is for.
    public let purpose: CredentialPurpose
    /// The credential; nil where the answer is a repeat.
    public let token: String?
    /// When it ends.
    public let expiresAt: Moment

    enum CodingKeys: String, CodingKey {
        case object, purpose, token
        case expiresAt = "expires_at"
    }
}
