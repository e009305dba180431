import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import Storage

extension Facade {
    /// Serves a request that was admitted.
    func serve(_ call: Call) async throws(Problem) -> HTTPResponse {
        switch call.route.operation {
        case .listCards: try await listCards(call)
        case .putCard: try await putCard(call)
        case .importCards: try await importCards(call)
        case .putBinding: try await putBinding(call)
        case .readCard: try await readCard(call)
        case .eraseCard: try await eraseCard(call)
        case .provision: try await provision(call)
        case .listProvisionings: try await listProvisionings(call)
        case .readProvisioning: try await readProvisioning(call)
        case .reportOutcome: try await reportOutcome(call)
        case .readTimeline: try await readTimeline(call)
        case .cardWallets: try await cardWallets(call)
        case .cardholderWallets: try await cardholderWallets(call)
        case .walletButton: try await walletButton(call)
        case .walletCredential: try await walletCredential(call)
        case .listTokens: try await listTokens(call)
        case .readToken: try await readToken(call)
        case .changeToken(let change): try await changeToken(call, by: change)
        case .listEvents: try await listEvents(call)
        case .readEvent: try await readEvent(call)
        case .takeDelivery: try await takeDelivery(call)
        case .addDestination: try await addDestination(call)
        case .listDestinations: try await listDestinations(call)
        case .readDestination: try await readDestination(call)
        case .removeDestination: try await removeDestination(call)
        case .rotateSecret: try await rotateSecret(call)
        case .replayEvents: try await replayEvents(call)
        case .openMigration: try await openMigration(call)
        case .listMigrations: try await listMigrations(call)
        case .readMigration: try await readMigration(call)
        case .advanceMigration: try await advanceMigration(call)
        case .stepMigration(let action): try await stepMigration(call, action)
        case .migrationReport: try await migrationReport(call)
        case .capabilities: try capabilities(call)
        case .liveness: Rendering.json { $0.object { $0.member("status", "ok") } }
        case .readiness: try await readiness(call)
        case .problemPage: problemPage(call)
        case .description: description(call)
        case .reference: reference(call)
        case .readOverview: try await readOverview(call)
        case .listConnections: try listConnections(call)
        }
    }

    private func readiness(_ call: Call) async throws(Problem) -> HTTPResponse {
        if isDraining { throw Problem(.overloaded, detail: "The gateway is shutting down.", retryAfter: 1) }
        try await call.gateway.checkReadiness()
        return Rendering.json { $0.object { $0.member("status", "ready") } }
    }

    private func problemPage(_ call: Call) -> HTTPResponse {
        let code = ProblemCode(rawValue: call.parameter) ?? .routeNotFound
        if HeaderReader(request: call.request).prefersHTML() { return ProblemPage.html(code) }
        return ProblemPage.json(code, publicURL: Rendering.withoutSlash(call.gateway.directory.publicURL))
    }

    private func capabilities(_ call: Call) throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let rows = call.gateway.capabilities()
        return Rendering.json(capacity: 4096) { $0.list(rows) { $0.capability($1) } }
    }

    /// Refuses any parameter, on routes that have none.
    func refuseQuery(_ call: Call) throws(Problem) { try QueryReader(call.request.query, known: []).finish() }
}
