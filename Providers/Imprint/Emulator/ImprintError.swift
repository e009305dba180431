import ProviderKit
import Provisioning
import Sandbox

/// A refusal in Imprint's words, in one of its four shapes.
///
/// Upstream reference: <https://docs.imprint.co/error-handling>, and the page on wallets.
enum ImprintError: Error {
    /// Of the provisioning call: `{"error":{"code","message"}}`.
    case provisioning(status: Int, code: String, message: String)
    /// Of the rest of the API: `{"error":{"type","message","param"}}`.
    case api(status: Int, type: String, message: String, parameter: String?)
    /// Of a read that finds nothing: `{"type","message","param"}`.
    case notFound(type: String, message: String, parameter: String)
    /// Of the framework: `{"path","details","error","status","timestamp"}`, where `error` is a text.
    case framework(status: Int, error: String, path: String, details: [String])

    /// The answer that carries it.
    func response(at moment: Timestamp) -> EmulatedResponse {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .provisioning(_, let code, let message):
                json.member(
                    "error",
                    object: { json in
                        json.member("code", code)
                        json.member("message", message)
                    })
            case .api(_, let type, let message, let parameter):
                json.member("error", object: { json in Self.write(type, message, parameter, into: &json) })
            case .notFound(let type, let message, let parameter): Self.write(type, message, parameter, into: &json)
            case .framework(let status, let error, let path, let details):
                json.member("path", path)
                json.member("details", array: { json in for detail in details { json.value(detail) } })
                json.member("error", error)
                json.member("status", status)
                json.member("timestamp", moment.rfc3339)
            }
        }
        var response = EmulatedResponse.json(status, json.finish())
        if status == 429 { response.headers.append(("retry-after", "7")) }
        return response
    }

    private static func write(_ type: String, _ message: String, _ parameter: String?, into json: inout JSONWriter) {
        json.member("type", type)
        json.member("message", message)
        if let parameter { json.member("param", parameter) }
    }

    private var status: Int {
        switch self {
        case .provisioning(let status, _, _), .api(let status, _, _, _), .framework(let status, _, _, _): status
        case .notFound: 404
        }
    }

    static func invalidRequest(_ message: String) -> ImprintError {
        .provisioning(status: 400, code: "invalid_request", message: message)
    }

    static func walletUnsupported(_ wallet: String) -> ImprintError {
        .provisioning(status: 400, code: "wallet_unsupported", message: "\(wallet) is not supported yet.")
    }

    static let permissionDenied = ImprintError.provisioning(
        status: 403, code: "permission_denied", message: "The API key lacks the scope CARD_WRITE.")

    static let paymentMethodNotFound = ImprintError.provisioning(
        status: 404, code: "payment_method_not_found", message: "There is no such payment method.")

    static let alreadyProvisioned = ImprintError.provisioning(
        status: 409, code: "already_provisioned", message: "This card is already in this wallet on this device.")

    static let deviceIneligible = ImprintError.provisioning(
        status: 422, code: "device_ineligible", message: "this device cannot accept this card")

    static let unauthorized = ImprintError.api(
        status: 401, type: "AUTHENTICATION_ERROR", message: "Send a key of this environment.", parameter: nil)

    static let unknownMerchant = ImprintError.api(
        status: 400, type: "INVALID_REQUEST_ERROR", message: "There is no such merchant.",
        parameter: "x-imprint-merchant-key")

    static func rateLimited(_ path: String) -> ImprintError {
        .framework(status: 429, error: "Too Many Requests", path: path, details: [])
    }

    static func inactive(_ status: String) -> ImprintError {
        .api(
            status: 400, type: "INVALID_REQUEST_ERROR", message: "The payment method is no active card: \(status).",
            parameter: "payment_method_id")
    }
}
