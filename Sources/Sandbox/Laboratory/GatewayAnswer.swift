public import ProviderKit
public import SecretMemory

/// What the gateway answered, and how long it took.
public struct GatewayAnswer: Sendable {
    /// The status.
    public let status: Int
    /// The header fields, names in lower case.
    public let headers: [(name: String, value: String)]
    /// The body as it came.
    public let body: SecretBytes
    /// The body as JSON; nil where it is none.
    public let json: JSONView?
    /// From the call to the last byte of the answer.
    public let elapsed: Duration

    /// The problem's code, where the answer is a problem.
    public var code: String? { json?["code"]?.string }

    /// Whole milliseconds of ``elapsed``, at least 1.
    public var milliseconds: Int { max(Int(elapsed / .milliseconds(1)), 1) }

    /// The problem in one line: status, code, retry class and detail.
    public var problemLine: String {
        let parts = [code, json?["retry"]?.string.map { "retry \($0)" }, json?["detail"]?.string].compactMap(\.self)
        return ([String(status)] + parts).joined(separator: " · ")
    }
}
