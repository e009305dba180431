public import Provisioning

/// What a migration would cost: found when it is opened.
public struct Preflight: Sendable, Equatable {
    /// A channel of a wallet.
    public struct Channel: Sendable, Equatable {
        /// The wallet.
        public var wallet: Wallet
        /// The channel.
        public var channel: WalletChannel
    }

    /// A channel of a wallet whose app gets another handoff.
    public struct HandoffChange: Sendable, Equatable {
        /// The wallet.
        public var wallet: Wallet
        /// The channel.
        public var channel: WalletChannel
        /// What apps must know now.
        public var from: HandoffType
        /// What apps must know then.
        public var to: HandoffType
    }

    /// How a connection is, as far as is known.
    public struct ConnectionReport: Sendable, Equatable {
        /// Its name.
        public var connection: String
        /// Its provider's id.
        public var provider: String
        /// How it is.
        public var health: ConnectionHealth
        /// Whether its processor takes its credentials.
        public var credentials: CredentialStanding
    }

    /// Cards that `from` serves, of those that the migration is about.
    public var cards: Int
    /// Those of them that `to` could not serve.
    public var withoutStandbyBinding: Int
    /// Wallets of the program that `from` serves and `to` does not.
    public var walletsLost: [Wallet]
    /// Channels that `from` serves and `to` does not, of wallets that both serve.
    public var channelsLost: [Channel]
    /// Channels that both serve, with another handoff each.
    public var handoffsChanged: [HandoffChange]
    /// Both connections, `from` first.
    public var connections: [ConnectionReport]

    /// Whether somebody could not add a card afterwards who can do so now.
    public var strandsAnyone: Bool {
        withoutStandbyBinding > 0 || !walletsLost.isEmpty || !channelsLost.isEmpty || !handoffsChanged.isEmpty
    }
}
