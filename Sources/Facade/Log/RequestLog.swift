public import Gateway
import ProviderKit
public import Provisioning
import SecretMemory

/// One line of the access log. It holds no path, no query, no header and no body: only what cannot be a secret.
public struct RequestLog: Sendable, Equatable {
    /// When the request came.
    public var time: Timestamp
    /// The answer's `Request-Id`.
    public var requestID: String
    /// The method, or `OTHER` where it is none that any route has.
    public var method: String
    /// The route's template, such as `/v1/cards/{card}`, or `unmatched`.
    public var route: String
    /// The HTTP status; 499 where the caller had gone.
    public var status: Int
    /// The problem's code, where there is one.
    public var code: String?
    /// The name of the API key.
    public var key: String?
    /// The program.
    public var program: String?
    /// From the first byte of the request to the last byte of the answer.
    public var duration: Duration
    /// How much of it was spent waiting for processors.
    public var upstream: Duration
    /// Its place in the caller's trace, where it has one.
    public var trace: TraceContext?

    /// The line as JSON, without a line feed.
    public var json: String {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("time", time.rfc3339)
            json.member("event", "request")
            json.member("request_id", requestID)
            json.member("method", method)
            json.member("route", route)
            json.member("status", status)
            json.member("code", code)
            json.member("key", key)
            json.member("program", program)
            json.key("ms")
            json.value(Self.milliseconds(duration))
            json.key("upstream_ms")
            json.value(Self.milliseconds(upstream))
            json.member("trace_id", trace?.traceID)
            json.member("span_id", trace?.spanID)
        }
        return json.finishText()
    }

    /// With two decimals.
    private static func milliseconds(_ duration: Duration) -> Double {
        (duration / .milliseconds(1) * 100).rounded() / 100
    }
}
