public import Provisioning

/// What one provider offers for one wallet on one channel.
public struct Capability: Sendable, Equatable {
    /// The provider's id.
    public var provider: String
    /// The wallet.
    public var wallet: Wallet
    /// The channel.
    public var channel: WalletChannel
    /// What the app gets; nil where it is not served.
    public var handoff: HandoffType?
    /// What else can be asked for, such as `eligibility` or `tokens_list`.
    public var operations: [String]

    /// Makes a row of its members.
    public init(
        provider: String, wallet: Wallet, channel: WalletChannel, handoff: HandoffType?, operations: [String]
    ) {
        self.provider = provider
        self.wallet = wallet
        self.channel = channel
        self.handoff = handoff
        self.operations = operations
    }
}
