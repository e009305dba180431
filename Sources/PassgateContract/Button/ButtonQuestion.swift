/// The question what the app's wallet button should do: the app asks its backend, which asks the gateway.
public struct ButtonQuestion: Codable, Hashable, Sendable {
    /// The wallet.
    public var wallet: Wallet
    /// What the app says of its device.
    public var device: DeviceFacts

    /// Makes a question of its members.
    public init(_ wallet: Wallet, device: DeviceFacts) {
        self.wallet = wallet
        self.device = device
    }
}
