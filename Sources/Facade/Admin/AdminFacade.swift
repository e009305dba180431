public import Crypto
import EventLoop
import Gateway
public import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory
public import Storage

/// What the admin listener serves: `/metrics`, open to whoever reaches it, and `/console`, behind its session. It listens
/// on loopback by default.
public final class AdminFacade: HTTPHandler {
    private let facade: Facade
    private let meter: StoreMeter
    private let version: String
    private let startedAt: Timestamp
    private let console: Console

    /// Makes one beside the facade that callers use.
    ///
    /// - Parameters:
    ///   - keys: Seals the console's sessions.
    ///   - meter: What the store is measured with.
    ///   - version: Which passgate this is.
    public init(facade: Facade, keys: KeyRing, meter: StoreMeter, version: String) {
        self.facade = facade
        self.meter = meter
        self.version = version
        startedAt = facade.clock.now
        console = Console(facade: facade, keys: keys, version: version)
    }

    private static let bodyLimit = 4096

    /// Takes no bodies worth the name.
    public func bodyPolicy(for head: HTTPRequest) -> HTTPBodyPolicy { .collect(limit: Self.bodyLimit) }

    /// Answers a request.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        if Console.owns(request.path) { return await console.respond(to: request) }
        guard request.path == "/metrics" else { return problem(Problem(.routeNotFound)) }
        guard request.method == "GET" || request.method == "HEAD" else {
            return problem(Problem(.methodNotAllowed), allow: "GET, HEAD")
        }
        let text = SecretBytes(utf8: PrometheusText.render(await scrape()))
        return Rendering.answer(
            Rendering.body(text, type: "text/plain; version=0.0.4; charset=utf-8"), requestID: facade.makeRequestID())
    }

    private func scrape() async -> Scrape {
        let gateway = facade.gateway
        return Scrape(
            version: version, startedAt: startedAt, now: facade.clock.now, process: ProcessFigures.now,
            counts: gateway.metrics.snapshot, store: meter.figures, connections: gateway.connectionReports(),
            programs: Array(gateway.directory.programs.keys), backlog: await gateway.backlog(),
            migrations: await gateway.migrationFigures())
    }

    /// Answers what never became a request.
    public func refusal(_ refusal: HTTPRefusal) -> HTTPResponse {
        var response = problem(Problem(refusal, bodyLimit: Self.bodyLimit))
        response.closesConnection = true
        return response
    }

    private func problem(_ problem: Problem, allow: String? = nil) -> HTTPResponse {
        let id = facade.makeRequestID()
        return Rendering.answer(
            Rendering.problem(
                problem, publicURL: facade.publicURL, requestID: id, isProvisioning: false, allow: allow),
            requestID: id)
    }
}
