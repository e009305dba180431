public import SecretMemory
public import Storage

/// A destination with the secret that was just made for it. It is shown once.
public struct RevealedDestination: Sendable {
    /// The destination.
    public let destination: StoredDestination
    /// Its secret: `whsec_` and the base64 of 32 bytes.
    public let secret: SecretText

    init(_ destination: StoredDestination, secret: SecretText) {
        self.destination = destination
        self.secret = secret
    }
}
