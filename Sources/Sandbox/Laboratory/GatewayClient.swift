public import ProviderKit
public import SecretMemory

/// A platform's backend, as far as the laboratory needs one: it calls the gateway's REST facade.
public struct GatewayClient: Sendable {
    /// Where the gateway listens, without a slash at the end.
    public let baseURL: String
    private let key: SecretText?
    private let program: String?
    private let transport: any UpstreamTransport
    private let parser: any JSONParsing

    /// A client with its key; `program` is sent for keys that have several.
    public init(
        baseURL: String, key: SecretText?, program: String? = nil, transport: any UpstreamTransport,
        json: any JSONParsing
    ) {
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.key = key
        self.program = program
        self.transport = transport
        self.parser = json
    }

    /// Calls a route and waits for its answer, 30 s at most.
    ///
    /// - Throws: `TransportFailure` where there is no answer.
    public func send(
        _ method: UpstreamRequest.Method, _ path: String, _ body: SecretBytes? = nil,
        headers: [UpstreamRequest.Header] = [], within limit: Duration = .seconds(30)
    ) async throws(TransportFailure) -> GatewayAnswer {
        let start = ContinuousClock.now
        var request = UpstreamRequest(method, baseURL + path, headers: headers, body: body, deadline: start + limit)
        request.answerLimit = 1_048_576
        if let key { request.headers.append(.init("Authorization", "Bearer \(key.reveal())")) }
        if let program { request.headers.append(.init("Passgate-Program", program)) }
        if body != nil { request.headers.append(.init("Content-Type", "application/json")) }
        let answer = try await transport.send(request)
        let elapsed = ContinuousClock.now - start
        return GatewayAnswer(
            status: answer.status, headers: answer.headers, body: answer.body,
            json: try? parser.parse(answer.body).root, elapsed: elapsed)
    }
}
