import ProviderKit
import Sandbox
import SecretMemory

/// The body of a provisioning call, read strictly.
enum ProvisionOrder {
    case applePay(certificates: [[UInt8]], nonce: SecretBytes, signature: SecretBytes)
    case googlePay(wallet: String, device: String)

    /// Reads the body for the path's wallet; nil where the reader has noted a problem.
    static func read(_ view: JSONView?, for wallet: String, with reader: inout StrictReader) -> ProvisionOrder? {
        wallet == "apple_pay" ? apple(view, with: &reader) : google(view, with: &reader)
    }

    private static func apple(_ view: JSONView?, with reader: inout StrictReader) -> ProvisionOrder? {
        let known: Set = ["certificates", "nonce", "nonce_signature"]
        guard let members = reader.members(of: view, at: "", known: known) else { return nil }
        let certificates = certificates(members["certificates"], with: &reader)
        let nonce = reader.base64(members["nonce"], at: "nonce")
        let signature = reader.base64(members["nonce_signature"], at: "nonce_signature")
        guard let nonce, let signature, reader.problems.isEmpty else { return nil }
        return .applePay(certificates: certificates, nonce: nonce, signature: signature)
    }

    private static func certificates(_ view: JSONView?, with reader: inout StrictReader) -> [[UInt8]] {
        guard let elements = view?.elements else {
            reader.refuse("certificates", "must be an array of texts")
            return []
        }
        if elements.count != 2 { reader.refuse("certificates", "must hold the leaf and the intermediate") }
        return elements.enumerated().compactMap { index, element in
            reader.base64(element, at: "certificates.\(index)")?.reveal()
        }
    }

    private static func google(_ view: JSONView?, with reader: inout StrictReader) -> ProvisionOrder? {
        guard let members = reader.members(of: view, at: "", known: ["wallet_id", "device_id"]) else { return nil }
        let wallet = reader.text(members["wallet_id"], at: "wallet_id")
        let device = reader.text(members["device_id"], at: "device_id")
        guard let wallet, let device, reader.problems.isEmpty else { return nil }
        return .googlePay(wallet: wallet, device: device)
    }
}
