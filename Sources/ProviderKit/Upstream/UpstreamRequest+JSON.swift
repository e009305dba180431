import SecretMemory

extension UpstreamRequest {
    /// A request that asks for JSON, and sends a JSON object where `body` writes one.
    ///
    /// - Parameters:
    ///   - traceparent: The W3C trace context to pass on.
    ///   - headers: What the processor wants besides `Accept` and `Content-Type`: credentials, versions.
    public static func json(
        _ method: Method, _ url: String, headers: [Header], traceparent: String? = nil,
        deadline: ContinuousClock.Instant, body: ((inout JSONWriter) -> Void)? = nil
    ) -> UpstreamRequest {
        var fields = headers
        fields.append(Header("Accept", "application/json"))
        if body != nil { fields.append(Header("Content-Type", "application/json")) }
        if let traceparent { fields.append(Header("traceparent", traceparent)) }
        var bytes: SecretBytes?
        if let body {
            var json = JSONWriter(capacity: 4096)
            json.object(body)
            bytes = json.finish()
        }
        return UpstreamRequest(method, url, headers: fields, body: bytes, deadline: deadline)
    }
}
