/// What a device did with a handoff.
public struct DeviceVerdict: Sendable, Equatable {
    /// In a few words, such as `decrypted the pass`.
    public let deed: String
    /// The token that it holds now.
    public let token: SimulatedToken

    /// Makes a verdict of its members.
    public init(deed: String, token: SimulatedToken) {
        self.deed = deed
        self.token = token
    }
}
