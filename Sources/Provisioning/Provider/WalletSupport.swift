/// How a provider serves one wallet on one channel.
public struct WalletSupport: Sendable, Hashable {
    /// What the handshake must hold.
    public enum HandshakeRequirement: Sendable, Hashable {
        /// PassKit's two certificates, nonce and nonce signature.
        case applePay
        /// Google's wallet id and device id; a session id may come with them.
        case googlePayDevice
        /// Google's session id; wallet and device ids may come with it.
        case googlePaySession
        /// Nothing: the vendor's SDK does the handshake.
        case none
    }

    /// Whether the upstream call may be made again after it was sent.
    public enum RepeatRule: Sendable, Hashable {
        /// Never: what it carries is spent.
        case never
        /// Once more, with the same upstream idempotency key.
        case once
        /// Once more, unless the handshake holds a Google session id.
        case onceWithoutSession
    }

    /// The wallet.
    public let wallet: Wallet
    /// The channel.
    public let channel: WalletChannel
    /// What the app gets.
    public let handoff: HandoffType
    /// What the app must bring.
    public let handshake: HandshakeRequirement
    /// Whether a sent call may be repeated.
    public let repeatRule: RepeatRule
    /// Whether the handoff works once only.
    public let isSingleUse: Bool

    /// Makes a row of its members.
    public init(
        wallet: Wallet, channel: WalletChannel, handoff: HandoffType, handshake: HandshakeRequirement,
        repeatRule: RepeatRule, isSingleUse: Bool
    ) {
        self.wallet = wallet
        self.channel = channel
        self.handoff = handoff
        self.handshake = handshake
        self.repeatRule = repeatRule
        self.isSingleUse = isSingleUse
    }

    /// Whether a sent call with this handshake may be repeated.
    public func allowsRepeat(of handshake: Handshake) -> Bool {
        switch (repeatRule, handshake) {
        case (.never, _): false
        case (.once, _): true
        case (.onceWithoutSession, .googlePay(let google)): google.serverSessionID == nil
        case (.onceWithoutSession, _): true
        }
    }
}
