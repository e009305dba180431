public import SecretMemory

extension UpstreamRequest {
    /// A `POST` of a form (`application/x-www-form-urlencoded`) that asks for JSON.
    ///
    /// - Parameters:
    ///   - members: The form's members in order. Names and values are percent-encoded; the brackets of a name such as
    ///     `expand[]` are too, as every form parser reads them back.
    ///   - headers: What the processor wants besides `Accept` and `Content-Type`: credentials, versions.
    ///   - traceparent: The W3C trace context to pass on.
    public static func form(
        _ url: String, members: [(name: String, value: SecretText)], headers: [Header], traceparent: String? = nil,
        deadline: ContinuousClock.Instant
    ) -> UpstreamRequest {
        var fields = headers
        fields.append(Header("Accept", "application/json"))
        fields.append(Header("Content-Type", "application/x-www-form-urlencoded"))
        if let traceparent { fields.append(Header("traceparent", traceparent)) }
        return UpstreamRequest(.post, url, headers: fields, body: encode(members), deadline: deadline)
    }

    private static func encode(_ members: [(name: String, value: SecretText)]) -> SecretBytes {
        var form = SecretBuilder(capacity: 256)
        for (index, member) in members.enumerated() {
            if index > 0 { form.append(0x26) }
            PercentEncoding.encode(member.name.utf8.span, into: &form)
            form.append(0x3d)
            member.value.bytes.withSpan { PercentEncoding.encode($0, into: &form) }
        }
        return form.finish()
    }
}
