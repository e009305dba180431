public import SecretMemory

/// What `PKAddPaymentPassViewController` hands to its delegate.
///
/// Upstream reference: Apple's `PKAddPaymentPassViewController.h` (certificates are DER, leaf first, root side last).
public struct ApplePayHandshake: Sendable {
    /// DER certificates, leaf first, then the intermediate.
    public let certificates: [[UInt8]]
    /// The single-use nonce.
    public let nonce: SecretBytes
    /// The signature over the nonce.
    public let nonceSignature: SecretBytes

    /// Makes a handshake of its members.
    public init(certificates: [[UInt8]], nonce: SecretBytes, nonceSignature: SecretBytes) {
        self.certificates = certificates
        self.nonce = nonce
        self.nonceSignature = nonceSignature
    }
}
