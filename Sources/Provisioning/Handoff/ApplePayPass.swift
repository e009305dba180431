public import SecretMemory

/// An encrypted pass for `PKAddPaymentPassRequest`.
public struct ApplePayPass: Sendable {
    /// The key that PassKit needs beside the data; which one depends on the encryption scheme.
    public enum Key: Sendable {
        /// ECC_V2: `ephemeralPublicKey`.
        case ephemeralPublicKey(SecretBytes)
        /// RSA_V2: `wrappedKey`.
        case wrappedKey(SecretBytes)
    }

    /// `activationData`.
    public let activationData: SecretBytes
    /// `encryptedPassData`.
    public let encryptedPassData: SecretBytes
    /// The key, by scheme.
    public let key: Key
    /// The processor's name of the scheme, such as `EV_ECC_v2`. Told, never matched on.
    public let encryptionVersion: String?

    /// Makes a pass of its members.
    public init(activationData: SecretBytes, encryptedPassData: SecretBytes, key: Key, encryptionVersion: String?) {
        self.activationData = activationData
        self.encryptedPassData = encryptedPassData
        self.key = key
        self.encryptionVersion = encryptionVersion
    }
}
