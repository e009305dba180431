public import Gateway
public import HTTPServer
public import ProviderKit
import Provisioning
public import Storage
internal import Synchronization

/// The REST facade: it routes, authenticates, reads strictly and renders. What is done is the gateway's business.
///
/// Checks come in this order, and the first that fails answers: route, method, key, scope, program, the path's
/// parameter, media type, body.
public final class Facade: HTTPHandler {
    let json: any JSONParsing
    let clock: any WallClock
    let cryptography: any AdapterCryptography
    private let metrics: Metrics
    private let log: @Sendable (RequestLog) -> Void
    let current: Current
    /// Looks for the store's keys; nil where none but the given ones count.
    let storedKeys: StoredKeys?
    private let draining = Atomic<Bool>(false)

    /// Makes a facade of its parts.
    ///
    /// - Parameters:
    ///   - keys: The API keys of the configuration.
    ///   - keyStore: Keeps more API keys. ``lookForKeys()`` puts them in force.
    ///   - cryptography: Digests keys and request bodies, and gives random bytes.
    ///   - json: Reads request bodies.
    ///   - bodyLimit: How many bytes a body may have.
    ///   - log: Is told of each request once the fate of its answer is known. It must not block.
    public init(
        gateway: Gateway, keys: [APIKey], keyStore: (any APIKeyStore)? = nil, cryptography: any AdapterCryptography,
        json: any JSONParsing, clock: any WallClock, bodyLimit: Int = 262_144,
        log: @escaping @Sendable (RequestLog) -> Void
    ) {
        self.json = json
        self.clock = clock
        self.cryptography = cryptography
        metrics = gateway.metrics
        self.log = log
        let current = Current(
            InForce.Parts(gateway: gateway, configuredKeys: keys, bodyLimit: bodyLimit), cryptography: cryptography)
        self.current = current
        storedKeys = keyStore.map { StoredKeys($0) { keys in current.change { $0.storedKeys = keys } } }
    }

    /// Puts another configuration in force at once: its programs and connections, its keys and its limit. The store's
    /// keys stay. Requests that began before finish with what was in force then.
    ///
    /// - Parameter gateway: The gateway as it was, ``Gateway/serving(_:)`` another directory.
    public func replace(gateway: Gateway, keys: [APIKey], bodyLimit: Int) {
        current.change { parts in
            parts.gateway = gateway
            parts.configuredKeys = keys
            parts.bodyLimit = bodyLimit
        }
    }

    /// Makes `/readyz` say no, so that a balancer sends nothing new. Everything else is served as before.
    public func beginDraining() { draining.store(true, ordering: .relaxed) }

    var isDraining: Bool { draining.load(ordering: .relaxed) }
    /// The base of every URL that names the gateway, by the configuration in force.
    public var publicURL: String { inForce.gateway.directory.publicURL }

    /// The use cases, by the configuration in force.
    var gateway: Gateway { inForce.gateway }

    var inForce: InForce { current.value }

    /// Collects bodies up to the limit, but for that of an import. A body that is larger, or does not say how large it is, is read only for a
    /// caller that may send it.
    public func bodyPolicy(for head: HTTPRequest) -> HTTPBodyPolicy {
        let bodyLimit = inForce.bodyLimit
        if head.path == Self.importPath, head.method == "POST" { return streamPolicy(for: head) }
        let isShort =
            head.header("transfer-encoding") == nil
            && (head.header("content-length").map { Int($0).map { $0 <= bodyLimit } ?? false } ?? true)
        if isShort { return .collect(limit: bodyLimit) }
        var exchange = begin(head)
        do throws(Problem) {
            _ = try admit(head, &exchange)
            if head.header("transfer-encoding") != nil { return .collect(limit: bodyLimit) }
            throw Problem(HTTPRefusal.payloadTooLarge, bodyLimit: bodyLimit)
        } catch {
            if error.code == .unauthenticated, mayBeNew(head, exchange) { return .collect(limit: bodyLimit) }
            return .refuse(finish(render(error, &exchange), exchange))
        }
    }

    /// The one route whose body has no limit: it is read line by line, as fast as lines are stored.
    private static let importPath = "/v1/cards/import"

    private func streamPolicy(for head: HTTPRequest) -> HTTPBodyPolicy {
        var exchange = begin(head)
        do throws(Problem) {
            _ = try admit(head, &exchange)
            return .stream
        } catch {
            if error.code == .unauthenticated, mayBeNew(head, exchange) { return .stream }
            return .refuse(finish(render(error, &exchange), exchange))
        }
    }

    /// Answers a request.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        await respond(to: request, by: .shared, as: nil)
    }

    /// Answers a request by a table of routes.
    ///
    /// - Parameter key: The key that asks; nil where the request says so itself.
    func respond(to request: HTTPRequest, by table: RouteTable, as key: APIKey?) async -> HTTPResponse {
        var exchange = begin(request)
        exchange.table = table
        exchange.key = key
        metrics.requestBegan()
        defer { metrics.requestEnded() }
        let meter = UpstreamMeter()
        let trace = TraceContext(continuing: request.headers, random: cryptography.random)
        exchange.trace = trace
        let response = await UpstreamMeter.$current.withValue(meter) {
            guard let trace else { return await answer(request, &exchange) }
            return await TraceContext.$current.withValue(trace) { await answer(request, &exchange) }
        }
        exchange.upstream = meter.total
        return finish(response, exchange)
    }

    /// Answers what never became a request.
    public func refusal(_ refusal: HTTPRefusal) -> HTTPResponse {
        var exchange = begin(HTTPRequest(method: "", path: ""))
        var response = render(Problem(refusal, bodyLimit: exchange.inForce.bodyLimit), &exchange)
        response.closesConnection = true
        return finish(response, exchange)
    }

    private func answer(_ request: HTTPRequest, _ exchange: inout Exchange) async -> HTTPResponse {
        do throws(Problem) {
            switch try await admitAnyKey(request, &exchange) {
            case .options(let allow):
                return Rendering.empty(status: 204, headers: [(name: "Allow", value: allow)])
            case .call(let call):
                return try await serve(call)
            }
        } catch {
            return render(error, &exchange)
        }
    }

    /// What is known of a request at its beginning.
    func begin(_ request: HTTPRequest) -> Exchange {
        Exchange(
            inForce: inForce, requestID: makeRequestID(), startedAt: clock.now, receivedAt: request.receivedAt,
            method: request.method)
    }

    /// `req_` and 120 random bits.
    func makeRequestID() -> String { "req_" + IDDigits.text(of: cryptography.random(24)) }

    /// A problem as an answer.
    func render(_ problem: Problem, _ exchange: inout Exchange) -> HTTPResponse {
        exchange.code = problem.code
        return Rendering.problem(
            problem, publicURL: exchange.inForce.gateway.directory.publicURL, requestID: exchange.requestID,
            isProvisioning: exchange.isProvisioning, allow: exchange.allow)
    }

    /// Adds what every answer has, and sees that the log and the counts learn its fate.
    func finish(_ response: HTTPResponse, _ exchange: Exchange) -> HTTPResponse {
        var response = Rendering.answer(response, requestID: exchange.requestID)
        if let trace = exchange.trace { response.headers.append((name: "Traceparent", value: trace.traceparent)) }
        let status = response.status
        let delivered = response.onDelivery
        response.onDelivery = { [log, metrics] delivery in
            delivered?(delivery)
            let line = exchange.log(status: delivery == .written ? status : 499, at: .now)
            metrics.countRequest(
                route: line.route, method: line.method, status: line.status,
                added: max(line.duration - line.upstream, .zero))
            log(line)
        }
        return response
    }
}
