public import PassgateContract

/// An attempt, as it is recorded. It never holds the handoff.
public struct ProvisioningRecord: Codable, Hashable, Sendable {
    /// Something of the handshake that was put right.
    public struct Repair: Codable, Hashable, Sendable {
        /// The member.
        public let pointer: String
        /// What was done, as a word.
        public let repair: String
    }

    /// Something of the handshake that is odd, and was taken.
    public struct Warning: Codable, Hashable, Sendable {
        /// The member.
        public let pointer: String
        /// What it is, as a word.
        public let warning: String
    }

    /// Why an attempt failed.
    public struct Failure: Codable, Hashable, Sendable {
        /// The problem's code.
        public let code: ProblemCode
        /// What to do next.
        public let retry: RetryClass
        /// What is known of the effect.
        public let outcome: ProblemOutcome
        /// Why a card is not eligible.
        public let reason: String?
        /// The processor's status.
        public let providerStatus: Int?
        /// The processor's code.
        public let providerCode: String?
        /// The processor's id of the request.
        public let providerRequestID: String?

        enum CodingKeys: String, CodingKey {
            case code, retry, outcome, reason
            case providerStatus = "provider_status"
            case providerCode = "provider_code"
            case providerRequestID = "provider_request_id"
        }
    }

    /// Who had the last word.
    public struct Settlement: Codable, Hashable, Sendable {
        /// `device`, `probe`, `webhook` or `time`.
        public let by: String?
        /// When.
        public let at: Moment?
        /// Whether a token may have come from two attempts.
        public let ambiguous: Bool
    }

    /// `provisioning`
    public let object: String
    /// Its id, `prov_…`.
    public let id: String
    /// The card.
    public let card: String
    /// The program.
    public let program: String
    /// The processor.
    public let provider: String
    /// The connection.
    public let connection: String
    /// The wallet.
    public let wallet: Wallet
    /// Where the cardholder tapped.
    public let channel: WalletChannel
    /// What began it.
    public let origin: ProvisioningOrigin
    /// How far it has come.
    public let status: ProvisioningStatus
    /// When it began.
    public let createdAt: Moment
    /// When the handoff stops working, where that is known.
    public let expiresAt: Moment?
    /// What of the handshake was put right.
    public let repairs: [Repair]
    /// What of the handshake is odd.
    public let warnings: [Warning]
    /// Why it failed, where it did.
    public let failure: Failure?
    /// Who had the last word on it.
    public let settlement: Settlement?

    enum CodingKeys: String, CodingKey {
        case object, id, card, program, provider, connection, wallet, channel, origin, status, repairs, warnings,
            failure, settlement
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}
