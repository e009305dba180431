public import SecretMemory

/// What Google's SDK or web library hands to the platform.
public struct GooglePayHandshake: Sendable {
    /// The wallet's id: in app `walletId`, on the web `publicWalletId`.
    public let walletID: SecretText?
    /// The device's id: in app `stableHardwareId`, on the web `publicDeviceId`.
    public let deviceID: SecretText?
    /// The id of Google's push session, `serverSessionId`.
    public let serverSessionID: SecretText?

    /// Makes a handshake of its members.
    public init(walletID: SecretText?, deviceID: SecretText?, serverSessionID: SecretText?) {
        self.walletID = walletID
        self.deviceID = deviceID
        self.serverSessionID = serverSessionID
    }
}
