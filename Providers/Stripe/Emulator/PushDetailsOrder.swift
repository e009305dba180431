import ProviderKit
import Sandbox

/// The query of `push_provisioning_details`, read strictly: PassKit's handshake, or Google's ids.
enum PushDetailsOrder {
    case ios(certificates: [[UInt8]], nonce: SecretBytes, signature: SecretBytes)
    case android(wallet: String, device: String)

    /// Reads the query. Certificates are base64, nonce and signature lower-case hex.
    ///
    /// - Throws: ``StripeError``, which names the parameter.
    init(_ request: EmulatedRequest) throws(StripeError) {
        let ios: Set = ["ios[certificates][0]", "ios[certificates][1]", "ios[nonce]", "ios[nonce_signature]"]
        let android: Set = ["android[wallet_account_id]", "android[device_id]"]
        let expansions: Set = ["expand[]", "expand[0]", "expand[1]"]
        let pairs = request.parameters ?? []
        let isIOS = pairs.contains { ios.contains($0.name) }
        let reader = try FormReader(request.parameters, known: (isIOS ? ios : android).union(expansions))
        guard isIOS else {
            self = .android(
                wallet: try reader.required("android[wallet_account_id]"),
                device: try reader.required("android[device_id]"))
            return
        }
        self = .ios(
            certificates: [
                try Self.certificate("ios[certificates][0]", reader),
                try Self.certificate("ios[certificates][1]", reader),
            ],
            nonce: try Self.hex("ios[nonce]", reader), signature: try Self.hex("ios[nonce_signature]", reader))
    }

    private static func certificate(_ name: String, _ reader: FormReader) throws(StripeError) -> [UInt8] {
        guard let der = Base64.decode(SecretBytes(utf8: try reader.required(name))) else {
            throw .invalid("\(name) must be base64.", param: name)
        }
        return der.reveal()
    }

    private static func hex(_ name: String, _ reader: FormReader) throws(StripeError) -> SecretBytes {
        let text = try reader.required(name)
        guard text == text.lowercased(), let bytes = Hexadecimal.decode(SecretBytes(utf8: text)) else {
            throw .invalid("\(name) must be lower-case hex.", param: name)
        }
        return bytes
    }
}
