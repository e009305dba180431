import ProviderKit
import Sandbox

/// A refusal in Increase's words.
///
/// Upstream reference: the `Error` types of the `increase` Python package 0.552.0.
struct IncreaseError {
    let status: Int
    let type: String
    let title: String
    let detail: String
    var problems: [StrictReader.Problem]?
    var reason: String?
    var resourceID: String?
    var retryAfter: Int?
    var tellsEnvironment = false

    /// The answer that carries it.
    var response: EmulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.member("type", type)
            json.member("title", title)
            json.member("detail", detail)
            json.member("status", status)
            if let problems { json.member("errors", array: { json in write(problems, into: &json) }) }
            if let reason { json.member("reason", reason) }
            if let resourceID { json.member("resource_id", resourceID) }
            if let retryAfter { json.member("retry_after", retryAfter) }
            if tellsEnvironment { json.member("likely_environment", nil as String?) }
        }
        return .json(status, json.finish())
    }

    private func write(_ problems: [StrictReader.Problem], into json: inout JSONWriter) {
        for problem in problems {
            json.object { json in
                json.member("field", problem.field)
                json.member("message", problem.message)
            }
        }
    }

    static func invalidParameters(_ problems: [StrictReader.Problem]) -> IncreaseError {
        IncreaseError(
            status: 400, type: "invalid_parameters_error", title: "Your request contains invalid parameters.",
            detail: "See errors for the parameters.", problems: problems)
    }

    static func malformedRequest(_ detail: String) -> IncreaseError {
        IncreaseError(
            status: 400, type: "malformed_request_error", title: "Your request is malformed.", detail: detail)
    }

    static func invalidKey(reason: String) -> IncreaseError {
        IncreaseError(
            status: 401, type: "invalid_api_key_error", title: "Your API key is not valid.",
            detail: "Send a key of this environment as a Bearer token.", reason: reason)
    }

    static let insufficientPermissions = IncreaseError(
        status: 403, type: "insufficient_permissions_error", title: "Your API key may not do this.",
        detail: "The key lacks a permission.")

    static let environmentMismatch = IncreaseError(
        status: 403, type: "environment_mismatch_error", title: "The object is in another environment.",
        detail: "A sandbox key reads sandbox objects only.")

    static let privateFeature = IncreaseError(
        status: 403, type: "private_feature_error", title: "This feature is not enabled.",
        detail: "Push provisioning must be enabled for your group.")

    static func unknownMethod(_ path: String) -> IncreaseError {
        IncreaseError(
            status: 404, type: "api_method_not_found_error", title: "There is no such API method.",
            detail: "There is nothing under \(path).")
    }

    static func notFound(_ what: String) -> IncreaseError {
        IncreaseError(
            status: 404, type: "object_not_found_error", title: "The object was not found.",
            detail: "There is no such \(what).", tellsEnvironment: true)
    }

    static func keyAlreadyUsed(resource: String) -> IncreaseError {
        IncreaseError(
            status: 409, type: "idempotency_key_already_used_error", title: "The idempotency key was used already.",
            detail: "It was sent with other parameters.", resourceID: resource)
    }

    static func invalidOperation(_ detail: String) -> IncreaseError {
        IncreaseError(
            status: 409, type: "invalid_operation_error", title: "The operation is not possible.", detail: detail)
    }

    static let rateLimited = IncreaseError(
        status: 429, type: "rate_limited_error", title: "Too many requests.", detail: "Wait before the next one.",
        retryAfter: 7)

    static let internalError = IncreaseError(
        status: 500, type: "internal_server_error", title: "Something went wrong.", detail: "It is our fault.")
}
