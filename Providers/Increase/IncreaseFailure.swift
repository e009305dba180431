import ProviderKit
import Provisioning

/// Increase's errors: `{"type","title","detail","status",…}`.
///
/// Upstream reference: <https://increase.com/documentation/api/errors>.
extension UpstreamFailureTable {
    /// What each `type` means to us, in the order of providers.md.
    static let increase = UpstreamFailureTable(
        rows: [
            // A refused member of the channel's object is the handshake: a nonce that is spent, a chain of another wallet.
            Row(400, "invalid_parameters_error: handshake", .handshakeRejected),
            Row(400, "invalid_parameters_error", .providerRejected),
            Row(400, "malformed_request_error", .providerRejected),
            Row(401, "invalid_api_key_error", .providerUnauthorized),
            Row(403, "environment_mismatch_error", .providerUnauthorized),
            Row(403, "insufficient_permissions_error", .providerUnauthorized),
            Row(403, "private_feature_error", .programNotEnabled),
            // Accounts without push provisioning do not have its path: it is in no public API description.
            Row(404, "api_method_not_found_error", .programNotEnabled),
            Row(404, "object_not_found_error", .providerCardNotFound),
            Row(409, "idempotency_key_already_used_error", .providerRejected),
            Row(409, "invalid_operation_error", .providerRejected),
            Row(429, "rate_limited_error", .providerRateLimited),
            Row(500, "internal_server_error", .providerUnavailable),
        ],
        requestIDHeaders: ["increase-request-id", "x-request-id", "request-id"], adviceHeader: "x-should-retry"
    ) { body, status in
        // A 2xx that tells of a failure is none that Increase describes; its reason is worth keeping all the same.
        guard let type = body["type"]?.string, status >= 300 || type.hasSuffix("_error") else {
            return UpstreamFault(code: body["reason"]?.string, words: [])
        }
        let isHandshake = type == "invalid_parameters_error" && refusesHandshake(body)
        return UpstreamFault(
            code: type, words: isHandshake ? ["\(type): handshake", type] : [type],
            retryAfter: body["retry_after"]?.double.flatMap { $0.isFinite ? .seconds(min(max($0, 0), 1e6)) : nil })
    }

    /// Whether one of `errors[].field` lies in a channel's object. The form of `errors` is assumed.
    private static func refusesHandshake(_ body: JSONView) -> Bool {
        (body["errors"]?.elements ?? []).contains { error in
            let path = error["field"]?.string ?? ""
            return ["apple_pay_in_app", "google_pay_in_app", "google_pay_web"].contains { channel in
                path == channel || path.hasPrefix("\(channel).")
            }
        }
    }
}
