public import PassgateContract

/// What a network put into a wallet for a card.
public struct Token: Codable, Hashable, Sendable {
    /// A device, as far as the processor tells.
    public struct Device: Codable, Hashable, Sendable {
        /// Its kind.
        public let type: String?
        /// The name that its owner gave it.
        public let name: String?
    }

    /// `token`
    public let object: String
    /// Its id.
    public let id: String
    /// The card.
    public let card: String
    /// The program.
    public let program: String
    /// The processor.
    public let provider: String
    /// The connection.
    public let connection: String
    /// The wallet; nil for a merchant's token.
    public let wallet: Wallet?
    /// What it can do.
    public let status: TokenStatus
    /// The processor's own word for that.
    public let providerStatus: String?
    /// The last four digits of the device account number.
    public let last4: String?
    /// The network's reference.
    public let networkReference: String?
    /// The device that it is on.
    public let device: Device?
    /// The attempt that it came from.
    public let provisioning: String?
    /// When it was made.
    public let createdAt: Moment?
    /// When the processor told this.
    public let observedAt: Moment
    /// When the gateway last changed it.
    public let updatedAt: Moment

    enum CodingKeys: String, CodingKey {
        case object, id, card, program, provider, connection, wallet, status, last4, device, provisioning
        case providerStatus = "provider_status"
        case networkReference = "network_reference"
        case createdAt = "created_at"
        case observedAt = "observed_at"
        case updatedAt = "updated_at"
    }
}
