import Provisioning
import Storage

/// All routes, as data. A path has at most two parameters.
struct RouteTable: Sendable {
    /// What a method and a path lead to.
    enum Match: Sendable {
        /// A route, and the parameters of the path.
        case route(Route, parameters: Parameters)
        /// The methods that the resource takes, for `OPTIONS`.
        case options(Resource)
        /// The resource is there, but does not take the method.
        case otherMethod(Resource)
        /// No such resource.
        case none
    }

    /// The parameters of a path; empty texts where it has fewer.
    struct Parameters: Sendable, Equatable {
        var first = ""
        var second = ""
    }

    /// A path with its routes.
    struct Resource: Sendable {
        let template: String
        fileprivate(set) var routes: [Route]

        /// The methods that it takes, for the `Allow` field.
        var allow: String {
            let methods = routes.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }
            return (methods + ["OPTIONS"]).joined(separator: ", ")
        }
    }

    static let shared = RouteTable([
        Route("GET", "/v1/cards", .listCards, .scope(.cardsRead)),
        Route("GET", "/v1/cards/{card}", .readCard, .scope(.cardsRead), .card),
        Route("PUT", "/v1/cards/{card}", .putCard, .scope(.cardsWrite), .card, body: .json),
        // A card may be called so too; it is not posted to.
        Route("POST", "/v1/cards/import", .importCards, .scope(.cardsWrite), body: .lines),
        Route(
            "PUT", "/v1/cards/{card}/bindings/{connection}", .putBinding, .scope(.cardsWrite), .card, body: .json),
        Route("DELETE", "/v1/cards/{card}", .eraseCard, .scope(.cardsWrite), .card),
        Route("GET", "/v1/cards/{card}/wallets", .cardWallets, .scope(.cardsRead), .card),
        Route("POST", "/v1/cards/{card}/wallet_button", .walletButton, .scope(.cardsRead), .card, body: .json),
        Route(
            "POST", "/v1/cards/{card}/wallet_credentials", .walletCredential, .scope(.provisioningWrite), .card,
            body: .json),
        Route("POST", "/v1/cards/{card}/provisionings", .provision, .scope(.provisioningWrite), .card, body: .json),
        Route("GET", "/v1/cardholders/{id}/wallets", .cardholderWallets, .scope(.cardsRead), .cardholder),
        Route("GET", "/v1/provisionings", .listProvisionings, .scope(.provisioningRead)),
        Route("GET", "/v1/provisionings/{id}", .readProvisioning, .scope(.provisioningRead), .provisioning),
        Route(
            "POST", "/v1/provisionings/{id}/outcome", .reportOutcome, .scope(.provisioningWrite), .provisioning,
            body: .json),
        Route("GET", "/v1/provisionings/{id}/timeline", .readTimeline, .scope(.provisioningRead), .provisioning),
        Route("GET", "/v1/cards/{card}/tokens", .listTokens, .scope(.tokensRead), .card),
        Route("GET", "/v1/tokens/{token}", .readToken, .scope(.tokensRead), .token),
        Route("POST", "/v1/tokens/{token}/suspend", .changeToken(.suspend), .scope(.tokensWrite), .token),
        Route("POST", "/v1/tokens/{token}/resume", .changeToken(.resume), .scope(.tokensWrite), .token),
        Route("POST", "/v1/tokens/{token}/delete", .changeToken(.delete), .scope(.tokensWrite), .token),
        Route("GET", "/v1/events", .listEvents, .scope(.eventsRead)),
        Route("GET", "/v1/events/{id}", .readEvent, .scope(.eventsRead), .event),
        Route("GET", "/v1/event_destinations", .listDestinations, .scope(.eventsRead)),
        Route("POST", "/v1/event_destinations", .addDestination, .scope(.eventsWrite), body: .json),
        Route("GET", "/v1/event_destinations/{id}", .readDestination, .scope(.eventsRead), .destination),
        Route("DELETE", "/v1/event_destinations/{id}", .removeDestination, .scope(.eventsWrite), .destination),
        Route(
            "POST", "/v1/event_destinations/{id}/replay", .replayEvents, .scope(.eventsWrite), .destination,
            body: .json),
        Route("POST", "/v1/event_destinations/{id}/rotate", .rotateSecret, .scope(.eventsWrite), .destination),
        Route("GET", "/v1/migrations/{id}/report", .migrationReport, .scope(.cardsRead), .migration),
        Route("POST", "/v1/inbound/{connection}", .takeDelivery, .open, .connection),
        Route("GET", "/v1/migrations", .listMigrations, .scope(.cardsRead)),
        Route("POST", "/v1/migrations", .openMigration, .scope(.switchingWrite), body: .json),
        Route("GET", "/v1/migrations/{id}", .readMigration, .scope(.cardsRead), .migration),
        Route(
            "POST", "/v1/migrations/{id}/advance", .advanceMigration, .scope(.switchingWrite), .migration,
            body: .json),
        Route("POST", "/v1/migrations/{id}/pause", .stepMigration(.pause), .scope(.switchingWrite), .migration),
        Route("POST", "/v1/migrations/{id}/resume", .stepMigration(.resume), .scope(.switchingWrite), .migration),
        Route("POST", "/v1/migrations/{id}/rollback", .stepMigration(.rollback), .scope(.switchingWrite), .migration),
        Route("POST", "/v1/migrations/{id}/complete", .stepMigration(.complete), .scope(.switchingWrite), .migration),
        Route("GET", "/v1/capabilities", .capabilities, .key),
        Route("GET", "/healthz", .liveness, .open),
        Route("GET", "/readyz", .readiness, .open),
        Route("GET", "/errors/{code}", .problemPage, .open, .problemCode),
        Route("GET", "/openapi.json", .description, .open),
        Route("GET", "/docs", .reference, .open),
    ])

    let routes: [Route]
    /// The resources by the number of slashes in their paths, in the order of the routes.
    private var bySlashes: [Int: [(template: [UInt8], resource: Resource)]] = [:]

    init(_ routes: [Route]) {
        self.routes = routes
        for route in routes {
            let template = Array(route.template.utf8)
            let slashes = Self.slashes(in: template.span)
            var resources = bySlashes[slashes] ?? []
            if let index = resources.firstIndex(where: { $0.template == template }) {
                resources[index].resource.routes.append(route)
            } else {
                resources.append((template, Resource(template: route.template, routes: [route])))
            }
            bySlashes[slashes] = resources
        }
    }

    /// Finds the route. The path is as it was sent: trailing and doubled slashes and dot segments lead nowhere. A path
    /// that is spelt out, and one that it would be a parameter of, share their methods.
    func match(method: String, path: String) -> Match {
        let bytes = path.utf8.span
        let sought = method == "HEAD" ? "GET" : method
        var other: Resource?
        for (template, resource) in bySlashes[Self.slashes(in: bytes)] ?? [] {
            guard let parameters = Self.parameters(of: template.span, in: bytes) else { continue }
            if let route = resource.routes.first(where: { $0.method == sought }) {
                return .route(route, parameters: parameters)
            }
            other = other.map { Resource(template: $0.template, routes: $0.routes + resource.routes) } ?? resource
        }
        guard let other else { return .none }
        return method == "OPTIONS" ? .options(other) : .otherMethod(other)
    }

    private static func slashes(in path: Span<UInt8>) -> Int {
        var count = 0
        for index in path.indices where path[index] == 0x2f { count += 1 }
        return count
    }

    /// The parameters; nil where the path does not fit.
    private static func parameters(of template: Span<UInt8>, in path: Span<UInt8>) -> Parameters? {
        var found: (first: Range<Int>, second: Range<Int>) = (0..<0, 0..<0)
        var (there, here) = (0, 0)
        while there < template.count {
            if template[there] == 0x7b {
                let start = here
                while here < path.count, path[here] != 0x2f { here += 1 }
                if start == here { return nil }
                if found.first.isEmpty { found.first = start..<here } else { found.second = start..<here }
                while there < template.count, template[there] != 0x2f { there += 1 }
            } else {
                guard here < path.count, path[here] == template[there] else { return nil }
                (there, here) = (there + 1, here + 1)
            }
        }
        guard here == path.count else { return nil }
        // Nothing is decoded for a path that does not fit.
        guard let first = parameter(path.extracting(found.first)), let second = parameter(path.extracting(found.second))
        else { return nil }
        return Parameters(first: first, second: second)
    }

    /// A parameter's text; empty where the path has none there, nil where it cannot be one.
    private static func parameter(_ bytes: Span<UInt8>) -> String? {
        guard let text = PercentCoding.decode(bytes), text != ".", text != ".." else { return nil }
        return text
    }
}
