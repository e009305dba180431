import ProviderKit
import Sandbox
import SecretMemory

/// A refusal in Checkout.com's words, or without any.
///
/// Upstream reference: `checkout_sdk/exception.py` of the `checkout-sdk` Python package 4.8.1.
struct CheckoutError {
    let status: Int
    var type: String?
    var codes: [String] = []
    var retryAfter: Int?

    /// The answer that carries it. The request id is in the header, and in the body where there is one.
    var response: EmulatedResponse {
        let requestID = CheckoutState.newID("req")
        var response = EmulatedResponse(status: status)
        if let type {
            var json = JSONWriter()
            json.object { json in
                json.member("request_id", requestID)
                json.member("error_type", type)
                json.member("error_codes", array: { json in for code in codes { json.value(code) } })
            }
            response = .json(status, json.finish())
        }
        response.headers.append(("cko-request-id", requestID))
        if let retryAfter { response.headers.append(("retry-after", String(retryAfter))) }
        return response
    }

    static let unauthorized = CheckoutError(status: 401)
    static let forbidden = CheckoutError(status: 403, type: "forbidden", codes: ["insufficient_scope"])
    static let notFound = CheckoutError(status: 404)
    static let methodNotAllowed = CheckoutError(status: 405)
    static let conflict = CheckoutError(status: 409)
    static let rateLimited = CheckoutError(status: 429, retryAfter: 7)
    static let internalError = CheckoutError(status: 500, type: "internal_error", codes: ["internal_error"])

    static func invalid(_ codes: [String]) -> CheckoutError {
        CheckoutError(status: 422, type: "request_invalid", codes: codes)
    }
}
