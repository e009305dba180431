public import Provisioning
import SecretMemory

/// A request that a row allows, of invented values. Fixtures are written for it.
public enum SampleRequest: Sendable {
    /// `nonce`, as PassKit gives it: base64 `++++AP8Q`, hex `fbefbe00ff10`.
    public static let nonce: [UInt8] = [0xfb, 0xef, 0xbe, 0x00, 0xff, 0x10]
    /// The leaf and the intermediate: texts, since no adapter reads them.
    public static let certificates = [
        Array("invented leaf certificate".utf8), Array("invented sub-CA certificate".utf8),
    ]
    /// The signature over the nonce.
    public static let nonceSignature = Array("invented nonce signature".utf8)
    /// Google's identifiers.
    public static let googleWalletID = "wallet-invented-01"
    /// Google's identifiers.
    public static let googleDeviceID = "device-invented-02"
    /// Google's identifiers.
    public static let googleSessionID = "session-invented-03"
    /// The version that the app's Stripe SDK asked for.
    public static let stripeAPIVersion = "2020-08-27"
    /// The upstream idempotency key.
    public static let idempotencyKey = "prov_sample_attempt_1"
    /// The trace context.
    public static let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    /// A request for the row, whole: every member that the row's handshake may hold is there.
    public static func make(
        for row: WalletSupport, card: CardBinding, deadline: ContinuousClock.Instant = .now + .seconds(12)
    ) -> ProvisioningRequest {
        let handshake: Handshake =
            switch row.handshake {
            case .applePay:
                .applePay(
                    ApplePayHandshake(
                        certificates: certificates, nonce: SecretBytes(nonce),
                        nonceSignature: SecretBytes(nonceSignature)))
            case .googlePayDevice, .googlePaySession:
                .googlePay(
                    GooglePayHandshake(
                        walletID: SecretText(googleWalletID), deviceID: SecretText(googleDeviceID),
                        serverSessionID: SecretText(googleSessionID)))
            case .none: .none
            }
        return ProvisioningRequest(
            card: card, wallet: row.wallet, channel: row.channel, handshake: handshake, cardholderName: "Ian Crease",
            displayName: "Crease Card", stripeAPIVersion: stripeAPIVersion, idempotencyKey: idempotencyKey,
            traceparent: traceparent, deadline: deadline)
    }

    /// The handshake's secrets, in each form that they travel in.
    public static var secrets: [String] {
        let hex = nonce.map { (0x100 + Int($0)).formattedHex }.joined()
        return [
            Base64.encode(nonce), hex, Base64.encode(nonceSignature), "invented nonce signature", googleWalletID,
            googleDeviceID, googleSessionID,
        ]
    }
}

extension Int {
    /// The last two of the hexadecimal digits.
    fileprivate var formattedHex: Substring { String(self, radix: 16).suffix(2) }
}
