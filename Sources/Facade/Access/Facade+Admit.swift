import Gateway
import HTTPServer
import Provisioning
import Storage

/// What is to be done once a request was admitted.
enum Admission {
    /// Tell the methods of the resource.
    case options(allow: String)
    /// Serve the route.
    case call(Call)
}

/// A request that may be served.
struct Call {
    let request: HTTPRequest
    /// The use cases, as they were in force when the request came.
    let gateway: Gateway
    let route: Route
    /// The parameter of the path, of the form that its kind has; empty where there is none.
    let parameter: String
    /// The second parameter of the path; empty where there is none.
    let secondParameter: String
    /// The name of the key; empty on open routes.
    let keyName: String
    /// The program; empty where the route belongs to none.
    let program: String

    /// How many bytes one line of a body in lines may have.
    let lineLimit: Int

    /// Who calls, for the audit trail.
    var actor: AuditActor { AuditActor(name: keyName) }
}

extension Facade {
    /// Whether the request may be served: route, method, key, scope, program, the path's parameter, media type.
    func admit(_ request: HTTPRequest, _ exchange: inout Exchange) throws(Problem) -> Admission {
        switch exchange.table.match(method: request.method, path: request.path) {
        case .none: throw Problem(.routeNotFound)
        case .options(let resource):
            exchange.template = resource.template
            return .options(allow: resource.allow)
        case .otherMethod(let resource):
            exchange.template = resource.template
            exchange.allow = resource.allow
            throw Problem(.methodNotAllowed, detail: "The resource takes \(resource.allow).")
        case .route(let route, let parameters):
            exchange.route = route
            exchange.template = route.template
            try authorize(route, request, &exchange)
            try check(parameters.first, of: route)
            if let media = route.body, !HeaderReader(request: request).announces(media) {
                throw Problem(
                    .unsupportedMediaType, detail: "The body must be `\(media.rawValue)` in UTF-8, not compressed.")
            }
            return .call(
                Call(
                    request: request, gateway: exchange.inForce.gateway, route: route,
                    parameter: parameters.first, secondParameter: parameters.second, keyName: exchange.key?.name ?? "",
                    program: exchange.program ?? "", lineLimit: exchange.inForce.bodyLimit))
        }
    }

    private func authorize(_ route: Route, _ request: HTTPRequest, _ exchange: inout Exchange) throws(Problem) {
        if route.access == .open { return }
        guard let key = exchange.key ?? exchange.inForce.keys.key(in: request.headers) else {
            throw Problem(.unauthenticated)
        }
        exchange.key = key
        guard case .scope(let scope) = route.access else { return }
        guard key.scopes.contains(scope) else {
            throw Problem(.permissionDenied, detail: "The API key lacks the scope `\(scope.rawValue)`.")
        }
        exchange.program = try program(for: key, request, in: exchange.inForce.gateway.directory)
    }

    /// The program of a request. One that there is not, and one that the key does not cover, look alike.
    private func program(for key: APIKey, _ request: HTTPRequest, in directory: Directory) throws(Problem) -> String {
        let programs = directory.programs
        if let name = try HeaderReader(request: request).program() {
            guard programs[name] != nil, key.programs?.contains(name) ?? true else { throw Problem(.programNotFound) }
            return name
        }
        if let covered = key.programs, covered.count == 1, let only = covered.first, programs[only] != nil {
            return only
        }
        let covered = key.programs.map { $0.filter { programs[$0] != nil } } ?? Set(programs.keys)
        guard let only = covered.first else { throw Problem(.programNotFound) }
        if covered.count > 1 { throw Problem(.programRequired) }
        return only
    }

    /// An id that nothing can have is like one that none has.
    private func check(_ parameter: String, of route: Route) throws(Problem) {
        switch route.parameter {
        case .card where !Identifier.isWellFormed(parameter): throw Problem(.cardNotFound)
        case .provisioning where !Identifier.isWellFormed(parameter): throw Problem(.provisioningNotFound)
        case .token where !Identifier.isWellFormed(parameter): throw Problem(.tokenNotFound)
        case .event where !Identifier.isWellFormed(parameter): throw Problem(.eventNotFound)
        case .destination where !Identifier.isWellFormed(parameter): throw Problem(.destinationNotFound)
        case .migration where !Identifier.isWellFormed(parameter): throw Problem(.migrationNotFound)
        case .problemCode where ProblemCode(rawValue: parameter) == nil: throw Problem(.routeNotFound)
        default: return
        }
    }
}
