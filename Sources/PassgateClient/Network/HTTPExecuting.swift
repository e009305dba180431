/// Carries requests to the gateway: the platform's own HTTP client, such as AsyncHTTPClient.
///
/// An executor sends each request once. It follows no redirect, tries nothing again, keeps no cookie, and checks the
/// gateway's certificate. Its errors say nothing of bodies and of the `Authorization` field.
///
/// With AsyncHTTPClient:
/// ```swift
/// struct Executor: HTTPExecuting {
///     let client: HTTPClient  // .redirectConfiguration = .disallow
///     func execute(_ request: HTTPCall) async throws -> HTTPAnswer {
///         var call = HTTPClientRequest(url: request.url)
///         call.method = .init(rawValue: request.method)
///         for field in request.headers { call.headers.add(name: field.name, value: field.value) }
///         if let body = request.body { call.body = .bytes(ByteBuffer(bytes: body)) }
///         let answer = try await client.execute(call, timeout: .nanoseconds(Int64(request.timeout / .nanoseconds(1))))
///         let body = try await answer.body.collect(upTo: 4 << 20)
///         return HTTPAnswer(status: Int(answer.status.code), headers: answer.headers.map { ($0.name, $0.value) },
///             body: Data(body.readableBytesView))
///     }
/// }
/// ```
public protocol HTTPExecuting: Sendable {
    /// Sends the request and waits for the whole answer, whatever its status.
    ///
    /// - Throws: Any error where there is no answer.
    func execute(_ request: HTTPCall) async throws -> HTTPAnswer
}
