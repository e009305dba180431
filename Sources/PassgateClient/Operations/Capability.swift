public import PassgateContract

/// What a processor offers for a wallet on a channel.
public struct Capability: Codable, Hashable, Sendable {
    /// `capability`
    public let object: String
    /// The processor.
    public let provider: String
    /// The wallet.
    public let wallet: Wallet
    /// The channel.
    public let channel: WalletChannel
    /// What the app gets; nil where there is none.
    public let handoff: HandoffType?
    /// What else can be asked for.
    public let operations: [String]
}
