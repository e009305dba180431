public import Gateway
public import HTTPServer
import Provisioning
import SecretMemory

/// What the admin listener serves: `/metrics`, open to whoever reaches it. It listens on loopback by default.
public final class AdminFacade: HTTPHandler {
    private let metrics: Metrics
    private let publicURL: @Sendable () -> String
    private let requestID: @Sendable () -> String

    /// Makes a facade over the gateway's counts.
    ///
    /// - Parameters:
    ///   - publicURL: Says what a problem's `type` begins with, by the configuration in force.
    ///   - requestID: Gives an id for each answer.
    public init(
        metrics: Metrics, publicURL: @escaping @Sendable () -> String, requestID: @escaping @Sendable () -> String
    ) {
        self.metrics = metrics
        self.publicURL = publicURL
        self.requestID = requestID
    }

    /// Takes no bodies worth the name.
    public func bodyPolicy(for head: HTTPRequest) -> HTTPBodyPolicy { .collect(limit: 1024) }

    /// Answers a request.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard request.path == "/metrics" else { return problem(Problem(.routeNotFound)) }
        guard request.method == "GET" || request.method == "HEAD" else {
            return problem(Problem(.methodNotAllowed), allow: "GET, HEAD")
        }
        let text = SecretBytes(utf8: PrometheusText.render(metrics.snapshot))
        return finish(Rendering.body(text, type: "text/plain; version=0.0.4; charset=utf-8"), id: requestID())
    }

    /// Answers what never became a request.
    public func refusal(_ refusal: HTTPRefusal) -> HTTPResponse {
        var response =
            switch refusal {
            case .malformed, .tooSlow:
                problem(Problem(.invalidRequest, detail: "The request is not well-formed HTTP/1.1."))
            case .headersTooLarge: problem(Problem(.headersTooLarge))
            case .payloadTooLarge: problem(Problem(.payloadTooLarge))
            case .draining: problem(Problem(.overloaded, detail: "The gateway is shutting down.", retryAfter: 1))
            }
        response.closesConnection = true
        return response
    }

    private func problem(_ problem: Problem, allow: String? = nil) -> HTTPResponse {
        let id = requestID()
        return finish(
            Rendering.problem(problem, publicURL: publicURL(), requestID: id, isProvisioning: false, allow: allow),
            id: id)
    }

    private func finish(_ response: HTTPResponse, id: String) -> HTTPResponse {
        var response = response
        response.headers.append((name: "Request-Id", value: id))
        response.headers.append((name: "Cache-Control", value: "no-store"))
        return response
    }
}
