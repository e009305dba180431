import Gateway
import HTTPServer
import Provisioning

/// What is known of one request while it is answered.
struct Exchange: Sendable {
    /// What was in force when it came, or when the store was asked for its key.
    var inForce: InForce
    let requestID: String
    let startedAt: Timestamp
    let receivedAt: ContinuousClock.Instant
    let method: String
    /// The routes that there are for it.
    var table = RouteTable.shared
    /// Its place in the caller's trace, where it has one.
    var trace: TraceContext?
    /// The route, where the request found one.
    var route: Route?
    /// The template of the resource that the path leads to.
    var template: String?
    var key: APIKey?
    var program: String?
    var code: ProblemCode?
    var upstream: Duration = .zero
    /// For the `Allow` field.
    var allow: String?

    /// Whether the answer says what is known of an effect upstream.
    var isProvisioning: Bool { route.map { $0.operation == .provision } ?? false }

    /// The line for the log once the answer's fate is known.
    func log(status: Int, at now: ContinuousClock.Instant) -> RequestLog {
        RequestLog(
            time: startedAt, requestID: requestID, method: Self.methods.contains(method) ? method : "OTHER",
            route: template ?? "unmatched", status: status, code: code?.rawValue, key: key?.name,
            program: program, duration: now - receivedAt, upstream: upstream, trace: trace)
    }

    private static let methods: Set<String> = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"]
}
