import ProviderKit
import Sandbox
import SecretMemory

/// The body of `push_provision`, read strictly.
struct PushProvisionOrder {
    enum Channel {
        case applePayInApp(certificates: [[UInt8]], nonce: SecretBytes, signature: SecretBytes)
        case googlePayInApp(device: String, wallet: String, session: String?)
        case googlePayWeb(session: String, device: String?, wallet: String?)
    }

    let cardholderName: String
    let channel: Channel

    private static let channels: Set = ["apple_pay_in_app", "google_pay_in_app", "google_pay_web"]

    /// Reads the body; nil where the reader has noted a problem.
    static func read(_ view: JSONView?, with reader: inout StrictReader) -> PushProvisionOrder? {
        let known = channels.union(["channel", "cardholder_name"])
        guard let members = reader.members(of: view, at: "", known: known) else { return nil }
        let name = reader.text(members["cardholder_name"], at: "cardholder_name")
        let word = reader.text(members["channel"], at: "channel")
        if let word, !channels.contains(word) { reader.refuse("channel", "is not a known channel") }
        for other in channels.sorted() where other != word && members[other] != nil {
            reader.refuse(other, "does not belong to the channel")
        }
        guard let word, let channel = read(word, members[word], with: &reader), let name, reader.problems.isEmpty
        else { return nil }
        return PushProvisionOrder(cardholderName: name, channel: channel)
    }

    private static func read(_ word: String, _ view: JSONView?, with reader: inout StrictReader) -> Channel? {
        switch word {
        case "apple_pay_in_app": return apple(view, with: &reader)
        case "google_pay_in_app": return googleInApp(view, with: &reader)
        case "google_pay_web": return googleWeb(view, with: &reader)
        default: return nil
        }
    }

    private static func apple(_ view: JSONView?, with reader: inout StrictReader) -> Channel? {
        let path = "apple_pay_in_app"
        let known: Set = ["certificates", "nonce", "nonce_signature"]
        guard let members = reader.members(of: view, at: path, known: known) else { return nil }
        let certificates = certificates(members["certificates"], at: "\(path).certificates", with: &reader)
        let nonce = reader.base64(members["nonce"], at: "\(path).nonce")
        let signature = reader.base64(members["nonce_signature"], at: "\(path).nonce_signature")
        guard let certificates, let nonce, let signature else { return nil }
        return .applePayInApp(certificates: certificates, nonce: nonce, signature: signature)
    }

    private static func certificates(_ view: JSONView?, at path: String, with reader: inout StrictReader) -> [[UInt8]]?
    {
        guard let elements = view?.elements else {
            reader.refuse(path, "must be an array of objects with a certificate each")
            return nil
        }
        if elements.count != 2 { reader.refuse(path, "must hold the leaf and the intermediate") }
        var certificates: [[UInt8]] = []
        for (index, element) in elements.enumerated() {
            let field = "\(path).\(index)"
            let members = reader.members(of: element, at: field, known: ["certificate"])
            guard let members, let der = reader.base64(members["certificate"], at: "\(field).certificate") else {
                continue
            }
            certificates.append(der.reveal())
        }
        return certificates
    }

    private static func googleInApp(_ view: JSONView?, with reader: inout StrictReader) -> Channel? {
        let path = "google_pay_in_app"
        let known: Set = ["stable_hardware_identifier", "wallet_identifier", "server_session_identifier"]
        guard let members = reader.members(of: view, at: path, known: known) else { return nil }
        func text(_ name: String, required: Bool = true) -> String? {
            reader.text(members[name], at: "\(path).\(name)", required: required)
        }
        let device = text("stable_hardware_identifier")
        let wallet = text("wallet_identifier")
        let session = text("server_session_identifier", required: false)
        guard let device, let wallet else { return nil }
        return .googlePayInApp(device: device, wallet: wallet, session: session)
    }

    private static func googleWeb(_ view: JSONView?, with reader: inout StrictReader) -> Channel? {
        let path = "google_pay_web"
        let known: Set = ["server_session_identifier", "public_device_identifier", "public_wallet_identifier"]
        guard let members = reader.members(of: view, at: path, known: known) else { return nil }
        func text(_ name: String, required: Bool = true) -> String? {
            reader.text(members[name], at: "\(path).\(name)", required: required)
        }
        let session = text("server_session_identifier")
        let device = text("public_device_identifier", required: false)
        let wallet = text("public_wallet_identifier", required: false)
        guard let session else { return nil }
        return .googlePayWeb(session: session, device: device, wallet: wallet)
    }
}
