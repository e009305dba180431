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

    private static let bodyLimit = 1024

    /// Takes no bodies worth the name.
    public func bodyPolicy(for head: HTTPRequest) -> HTTPBodyPolicy { .collect(limit: Self.bodyLimit) }

    /// Answers a request.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard request.path == "/metrics" else { return problem(Problem(.routeNotFound)) }
        guard request.method == "GET" || request.method == "HEAD" else {
            return problem(Problem(.methodNotAllowed), allow: "GET, HEAD")
        }
        let text = SecretBytes(utf8: PrometheusText.render(metrics.snapshot))
        return Rendering.answer(
            Rendering.body(text, type: "text/plain; version=0.0.4; charset=utf-8"), requestID: requestID())
    }

    /// Answers what never became a request.
    public func refusal(_ refusal: HTTPRefusal) -> HTTPResponse {
        var response = problem(Problem(refusal, bodyLimit: Self.bodyLimit))
        response.closesConnection = true
        return response
    }

    private func problem(_ problem: Problem, allow: String? = nil) -> HTTPResponse {
        let id = requestID()
        return Rendering.answer(
            Rendering.problem(problem, publicURL: publicURL(), requestID: id, isProvisioning: false, allow: allow),
            requestID: id)
    }
}
