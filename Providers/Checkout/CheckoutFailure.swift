import ProviderKit
import Provisioning

/// Checkout.com's errors: `{"request_id","error_type","error_codes":[…]}`, or no body at all.
///
/// Upstream reference: the `checkout-sdk` Python package 4.8.1. Its codes are open text, so the status decides.
extension UpstreamFailureTable {
    /// What each status means to us.
    static let checkout = UpstreamFailureTable(
        rows: [
            // The card is the path's only variable, and a 404 mostly has no body that could say so.
            Row(404, nil, .providerCardNotFound),
            // The same request is under way: it can be made again after a while.
            Row(409, nil, .providerUnavailable),
        ],
        requestIDHeaders: ["cko-request-id"]
    ) { body, status in
        // A 2xx that tells of a failure is none that Checkout.com describes; its reason is worth keeping all the same.
        if status < 300 { return UpstreamFault(code: body["reason"]?.string, words: []) }
        let code = body["error_codes"]?.elements?.first?.string ?? body["error_type"]?.string
        return UpstreamFault(code: code, requestID: body["request_id"]?.string)
    }

    /// What the token endpoint's answers mean to us: `{"error"}`, as OAuth has it (RFC 6749, section 5.2).
    static let checkoutAccess = UpstreamFailureTable(
        rows: [
            // Whatever is wrong with the request, it is made of the connection's settings alone.
            Row(400, nil, .providerUnauthorized)
        ],
        requestIDHeaders: ["cko-request-id"]
    ) { body, _ in UpstreamFault(code: body["error"]?.string) }
}
