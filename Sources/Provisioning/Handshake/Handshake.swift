/// What the device's wallet gave, as raw bytes: each provider encodes it in its own form.
public enum Handshake: Sendable {
    /// PassKit's certificates, nonce and nonce signature.
    case applePay(ApplePayHandshake)
    /// Google's wallet, device and session ids.
    case googlePay(GooglePayHandshake)
    /// Nothing: the vendor's SDK does the handshake by itself.
    case none
}
