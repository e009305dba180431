public import SecretMemory

/// A pass as the network gives it to one device: only the holder of the leaf's key can open it.
public struct SealedPass: Sendable {
    /// What the network checks when the device adds the pass.
    public let activationData: SecretBytes
    /// The pass, encrypted.
    public let encryptedPassData: SecretBytes
    /// The sender's one-time key: an uncompressed point on P-256, 65 bytes.
    public let ephemeralPublicKey: SecretBytes

    /// Makes a sealed pass of its members.
    public init(activationData: SecretBytes, encryptedPassData: SecretBytes, ephemeralPublicKey: SecretBytes) {
        self.activationData = activationData
        self.encryptedPassData = encryptedPassData
        self.ephemeralPublicKey = ephemeralPublicKey
    }
}
