public import HTTPServer
import ProviderKit
import SecretMemory

extension Sandbox: HTTPHandler {
    /// Bodies of up to 1 MiB are read whole.
    public func bodyPolicy(for head: HTTPRequest) -> HTTPBodyPolicy { .collect(limit: 1_048_576) }

    /// Answers a request, or breaks its connection.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        let answer = await answer(
            EmulatedRequest(
                method: request.method, path: request.path, query: request.query, headers: request.headers,
                body: request.body))
        var response = HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body)
        switch answer.breaks {
        case .reset: response.fault = .reset
        case .truncate(let count): response.fault = .truncate(after: count)
        case .garble: response.fault = .garble
        case nil: break
        }
        return response
    }

    /// Answers what is no request.
    public func refusal(_ refusal: HTTPRefusal) -> HTTPResponse {
        let status =
            switch refusal {
            case .malformed, .tooSlow: 400
            case .headersTooLarge: 431
            case .payloadTooLarge: 413
            case .draining: 503
            }
        return HTTPResponse(status: status, body: SecretBytes(utf8: "the sandbox does not read this\n"))
    }
}
