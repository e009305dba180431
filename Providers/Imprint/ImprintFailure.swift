import ProviderKit
import Provisioning

/// Imprint's errors, which have four shapes:
///
/// | where | shape |
/// |---|---|
/// | provisioning | `{"error":{"code":"device_ineligible","message"}}` |
/// | the rest of the API | `{"error":{"type":"INVALID_REQUEST_ERROR","message","param"}}` |
/// | a 404 of the API description | `{"type","message","param"}` |
/// | the framework's validation | `{"path","details":[],"error":"Bad Request","status":400,"timestamp"}` |
///
/// Upstream reference: <https://docs.imprint.co/error-handling> and <https://docs.imprint.co/add-to-wallet>.
extension UpstreamFailureTable {
    /// What each `code` and `type` means to us, in the order of the page.
    static let imprint = UpstreamFailureTable(
        rows: [
            // A nonce that is spent, a chain of another wallet: the page knows no other reason that we do not exclude.
            Row(400, "invalid_request", .handshakeRejected),
            Row(400, "INVALID_REQUEST_ERROR: handshake", .handshakeRejected),
            Row(400, "INVALID_REQUEST_ERROR", .providerRejected),
            Row(400, "wallet_unsupported", .walletUnsupported),
            // The key lacks CARD_WRITE.
            Row(403, "permission_denied", .providerUnauthorized),
            Row(404, "payment_method_not_found", .providerCardNotFound),
            // The payment method is the path's only variable, and a 404 that has a type is the API's own.
            Row(404, "any type", .providerCardNotFound),
            Row(409, "already_provisioned", .alreadyProvisioned),
            Row(422, "device_ineligible", .deviceIneligible),
        ],
        requestIDHeaders: ["x-request-id", "request-id", "x-imprint-request-id"]
    ) { body, status in
        let error = body["error"]
        // A 2xx that tells of a failure is none that Imprint describes; its word is worth keeping all the same. A payment
        // method has a `type` of its own, which is no error's.
        guard status >= 300 else {
            return UpstreamFault(code: (error?["code"] ?? error?["type"] ?? body["reason"])?.string, words: [])
        }
        if let code = error?["code"]?.string { return UpstreamFault(code: code) }
        // The framework's `error` is a text for people, and so no word.
        let holder = error?.kind == .object ? error : body
        guard let holder, let type = holder["type"]?.string else { return UpstreamFault() }
        let isHandshake = handshakeMembers.contains(holder["param"]?.string ?? "")
        let words = isHandshake ? ["\(type): handshake", type] : [type]
        // A URL as the type is somebody else's problem, in the form of RFC 9457.
        let isWord = UpstreamReport(status: nil, code: type).code != nil
        return UpstreamFault(code: type, words: status == 404 && isWord ? words + ["any type"] : words)
    }

    /// The members of the bodies that we send: all of them are the handshake.
    private static let handshakeMembers: Set = ["certificates", "nonce", "nonce_signature", "wallet_id", "device_id"]
}
