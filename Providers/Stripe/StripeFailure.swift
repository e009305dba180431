import ProviderKit
import Provisioning

/// Stripe's errors: `{"error":{"type","code","message","param",…}}`, where members that are null are left out.
///
/// Upstream reference: <https://docs.stripe.com/api/errors>, <https://docs.stripe.com/error-codes>.
extension UpstreamFailureTable {
    /// What each `code`, else each `type`, means to us.
    static let stripe = UpstreamFailureTable(
        rows: [
            Row(404, "resource_missing: token", .tokenNotFound),
            // The only other id in our calls is the card's; Stripe names another parameter where it means something else.
            Row(400, "resource_missing: card", .providerCardNotFound),
            Row(400, "rate_limit", .providerRateLimited),
            Row(400, "livemode_mismatch", .providerUnauthorized),
            Row(400, "idempotency_error", .providerRejected),
            Row(401, nil, .providerUnauthorized),
            Row(402, nil, .providerRejected),
            Row(403, "account_invalid", .providerUnauthorized),
            Row(403, "secret_key_required", .providerUnauthorized),
            Row(403, nil, .providerUnauthorized),
            Row(404, "resource_missing: card", .providerCardNotFound),
            // The object is in use, or the same idempotency key is: nothing was done, and it can be asked again.
            Row(409, nil, .providerUnavailable),
            Row(424, nil, .providerUnavailable),
            Row(429, "lock_timeout", .providerRateLimited),
            Row(429, nil, .providerRateLimited),
            Row(500, "api_error", .providerUnavailable),
        ],
        requestIDHeaders: ["request-id"], adviceHeader: "stripe-should-retry"
    ) { body, status in
        let error = body["error"]
        let type = error?["type"]?.string
        guard let code = error?["code"]?.string ?? type else {
            // A 2xx that tells of a failure is none that Stripe describes; its reason is worth keeping all the same.
            return UpstreamFault(code: status < 300 ? body["reason"]?.string : nil, words: [])
        }
        let names = error?["param"]?.string.map { ["issuing_card", "card", "id"].contains($0) } ?? true
        var precise = code == "resource_missing" && names ? ["\(code): card"] : []
        if code == "resource_missing", error?["param"]?.equals("token") == true { precise = ["\(code): token"] }
        return UpstreamFault(code: code, words: precise + [code] + (type.map { [$0] } ?? []))
    }
}
