public import PassgateContract

/// What a migration would cost.
public struct Preflight: Codable, Hashable, Sendable {
    /// A channel that is lost.
    public struct Lost: Codable, Hashable, Sendable {
        /// The wallet.
        public let wallet: Wallet
        /// The channel.
        public let channel: WalletChannel
    }

    /// A handoff that changes.
    public struct Change: Codable, Hashable, Sendable {
        /// The wallet.
        public let wallet: Wallet
        /// The channel.
        public let channel: WalletChannel
        /// What apps get now.
        public let from: HandoffType
        /// What they will get.
        public let to: HandoffType
    }

    /// How a connection is.
    public struct Side: Codable, Hashable, Sendable {
        /// The connection.
        public let connection: String
        /// The processor.
        public let provider: String
        /// `unknown`, `ok`, `failing` or `left_alone`.
        public let health: String
        /// Whether the processor takes its credentials: `taken`, `refused` or `not_known`.
        public let credentials: String
    }

    /// The program's cards.
    public let cards: Int
    /// Cards without a usable binding at the new side.
    public let withoutStandbyBinding: Int
    /// Wallets that the new side lacks.
    public let walletsLost: [Wallet]
    /// Channels that it lacks.
    public let channelsLost: [Lost]
    /// Handoffs that app builds must know.
    public let handoffsChanged: [Change]
    /// How both sides are.
    public let connections: [Side]

    enum CodingKeys: String, CodingKey {
        case cards, connections
        case withoutStandbyBinding = "without_standby_binding"
        case walletsLost = "wallets_lost"
        case channelsLost = "channels_lost"
        case handoffsChanged = "handoffs_changed"
    }
}
