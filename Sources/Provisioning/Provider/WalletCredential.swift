public import SecretMemory

/// What a credential is for.
public enum WalletCredentialPurpose: String, Sendable, CaseIterable {
    /// Signing the vendor's SDK in.
    case session
    /// Reading the card's state in the wallets.
    case state
    /// Activating a token that waits for it.
    case activate
}

/// A wish for a credential.
public struct WalletCredentialRequest: Sendable {
    /// What it is for.
    public var purpose: WalletCredentialPurpose
    /// The card at the processor.
    public var card: CardBinding
    /// The wallet, where the purpose needs one.
    public var wallet: Wallet?
    /// The token at the processor, where the purpose needs one.
    public var token: String?
    /// When the answer is no longer wanted.
    public var deadline: ContinuousClock.Instant

    /// Makes a request of its members.
    public init(
        purpose: WalletCredentialPurpose, card: CardBinding, wallet: Wallet?, token: String?,
        deadline: ContinuousClock.Instant
    ) {
        self.purpose = purpose
        self.card = card
        self.wallet = wallet
        self.token = token
        self.deadline = deadline
    }
}

/// A short-lived credential for a vendor's SDK. Seen once, like a handoff.
public struct WalletCredential: Sendable {
    /// What it is for.
    public let purpose: WalletCredentialPurpose
    /// The credential.
    public let token: SecretText
    /// When it ends.
    public let expiresAt: Timestamp

    /// Makes a credential of its members.
    public init(purpose: WalletCredentialPurpose, token: SecretText, expiresAt: Timestamp) {
        self.purpose = purpose
        self.token = token
        self.expiresAt = expiresAt
    }
}
