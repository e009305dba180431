public import SecretMemory

/// A processor's answer. Its body may be a handoff, so it is never shown.
public struct UpstreamResponse: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The header fields in the order they came; names in lower case.
    public let headers: [(name: String, value: String)]
    /// The body, whole, unless ``isBodyWhole`` is false.
    public let body: SecretBytes
    /// False where the body was larger than the request's limit, or could not be decoded: then ``body`` is empty.
    public let isBodyWhole: Bool

    /// Makes an answer of its members.
    public init(status: Int, headers: [(name: String, value: String)], body: SecretBytes, isBodyWhole: Bool = true) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isBodyWhole = isBodyWhole
    }

    /// The first field of that name, given in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
