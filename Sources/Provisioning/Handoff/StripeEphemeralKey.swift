public import SecretMemory

/// A Stripe ephemeral key, for Stripe's mobile SDK.
public struct StripeEphemeralKey: Sendable {
    /// The JSON object as Stripe sent it, byte for byte.
    public let ephemeralKey: SecretBytes
    /// The version that the key was made for: the app SDK's.
    public let apiVersion: String
    /// The card at Stripe.
    public let providerCardID: String
    /// When the key ends.
    public let expiresAt: Timestamp?

    /// Makes a key of its members.
    public init(ephemeralKey: SecretBytes, apiVersion: String, providerCardID: String, expiresAt: Timestamp?) {
        self.ephemeralKey = ephemeralKey
        self.apiVersion = apiVersion
        self.providerCardID = providerCardID
        self.expiresAt = expiresAt
    }
}
