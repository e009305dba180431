public import SecretMemory

/// One request, as it arrived. Its body may hold a handshake, so it is protected.
public struct HTTPRequest: Sendable {
    /// The method, such as `POST`.
    public let method: String
    /// The path as it was sent, still percent-encoded, without the query.
    public let path: String
    /// The query as it was sent, without the question mark; empty where there is none.
    public let query: String
    /// The header fields in the order they came, names in lower case.
    public let headers: [(name: String, value: String)]
    /// The whole body, for a route that collects it; empty for one that streams.
    public let body: SecretBytes
    /// The body piece by piece, for a route that asked for that.
    public let bodyStream: HTTPBodyStream?
    /// The peer's address, without the port.
    public let remoteAddress: String
    /// When the first byte of the request was seen.
    public let receivedAt: ContinuousClock.Instant

    /// Makes a request of its members.
    public init(
        method: String, path: String, query: String = "", headers: [(name: String, value: String)] = [],
        body: SecretBytes = SecretBytes([]), bodyStream: HTTPBodyStream? = nil, remoteAddress: String = "127.0.0.1",
        receivedAt: ContinuousClock.Instant = .now
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.bodyStream = bodyStream
        self.remoteAddress = remoteAddress
        self.receivedAt = receivedAt
    }

    /// The first field of that name, given in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
