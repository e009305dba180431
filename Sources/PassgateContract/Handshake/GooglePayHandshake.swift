/// The ids of Google's wallet that an attempt needs. They are never shown.
public struct GooglePayHandshake: Codable, Hashable, Sendable, Concealed {
    /// `getActiveWalletId()`
    public var walletID: String?
    /// `getStableHardwareId()`
    public var deviceID: String?
    /// The push session's id, for processors that save the card to the Google account.
    public var serverSessionID: String?

    /// Makes a handshake of what Google's client gave, unchanged.
    public init(walletID: String? = nil, deviceID: String? = nil, serverSessionID: String? = nil) {
        self.walletID = walletID
        self.deviceID = deviceID
        self.serverSessionID = serverSessionID
    }

    enum CodingKeys: String, CodingKey {
        case walletID = "wallet_id"
        case deviceID = "device_id"
        case serverSessionID = "server_session_id"
    }
}
