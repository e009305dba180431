import ProviderKit
import Sandbox

/// A refusal in Stripe's words. Members that are null are left out.
///
/// Upstream reference: the `ErrorObject` of the `stripe` Python package 16.1.0.
struct StripeError: Error {
    let status: Int
    let type: String
    var code: String?
    let message: String
    var param: String?
    var shouldRetry: Bool?
    var retryAfterSeconds: Int?

    /// The answer that carries it.
    var response: EmulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.member(
                "error",
                object: { json in
                    if let code { json.member("code", code) }
                    if let code { json.member("doc_url", "https://stripe.com/docs/error-codes/\(code)") }
                    json.member("message", message)
                    if let param { json.member("param", param) }
                    json.member("type", type)
                })
        }
        var answer = EmulatedResponse.json(status, json.finish())
        if let shouldRetry { answer.headers.append(("stripe-should-retry", String(shouldRetry))) }
        if let retryAfterSeconds { answer.headers.append(("retry-after", String(retryAfterSeconds))) }
        return answer
    }

    /// An `invalid_request_error`, which is what most refusals are.
    static func invalid(_ message: String, status: Int = 400, code: String? = nil, param: String? = nil) -> Self {
        Self(status: status, type: "invalid_request_error", code: code, message: message, param: param)
    }

    static let noKey = invalid("You did not provide an API key.", status: 401)
    static let wrongKey = invalid("Invalid API Key provided.", status: 401)
    static let expiredKey = invalid("Expired API Key provided.", status: 401, code: "api_key_expired")
    static let forbidden = invalid(
        "The provided key does not have the required permissions for this endpoint.", status: 403)
    static let wrongAccount = invalid(
        "The provided key does not have access to the account.", status: 403, code: "account_invalid")

    static func unknownURL(_ method: String, _ path: String) -> Self {
        invalid("Unrecognized request URL (\(method): \(path)).", status: 404)
    }

    static func unknown(_ parameter: String) -> Self {
        invalid("Received unknown parameter: \(parameter)", code: "parameter_unknown", param: parameter)
    }

    static func missing(_ parameter: String) -> Self {
        invalid("Missing required param: \(parameter).", code: "parameter_missing", param: parameter)
    }

    static func empty(_ parameter: String) -> Self {
        invalid("You passed an empty string for '\(parameter)'.", code: "parameter_invalid_empty", param: parameter)
    }

    static func noSuch(_ what: String, status: Int, param: String) -> Self {
        invalid("There is no such \(what).", status: status, code: "resource_missing", param: param)
    }

    static let keyReused = Self(
        status: 400, type: "idempotency_error",
        message: "Keys for idempotent requests can only be used with the parameters they were first used with.")
    static let keyInUse = Self(
        status: 409, type: "idempotency_error", code: "idempotency_key_in_use",
        message: "There is currently another in-progress request using this idempotency key.")
    static let rateLimited = Self(
        status: 429, type: "invalid_request_error", code: "rate_limit", message: "Too many requests in this period.",
        retryAfterSeconds: 7)
    static let locked = invalid(
        "This object cannot be accessed right now: another request is using it.", status: 429, code: "lock_timeout")
    static let declined = Self(
        status: 402, type: "card_error", code: "card_declined", message: "The request was declined.")

    static func failure(shouldRetry: Bool?) -> Self {
        Self(status: 500, type: "api_error", message: "It is our fault.", shouldRetry: shouldRetry)
    }
}
