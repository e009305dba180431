import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Facade {
    /// Answers a call of the console's page with a key that the caller did not send: that of its session.
    func respond(to request: HTTPRequest, as key: APIKey) async -> HTTPResponse {
        await respond(to: request, by: .console, as: key)
    }

    /// The API key that a text is; nil where it is none. One that is not known may have been made since: the store is
    /// looked into.
    func key(of text: SecretText, _ exchange: inout Exchange) async throws(Problem) -> APIKey? {
        let fields = [(name: "authorization", value: "Bearer \(text.reveal())")]
        if let key = exchange.inForce.keys.key(in: fields) { return key }
        guard storedKeys != nil, APIKeySet.mayBeStored(fields) else { return nil }
        try await takeNewKeys(&exchange)
        return exchange.inForce.keys.key(in: fields)
    }

    /// How a program's attempts went, and how they failed.
    func readOverview(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["window"])
        let window: ConsoleWindow = query.word("window") ?? .day
        try query.finish()
        let overview = try await call.gateway.overview(program: call.program, last: window.milliseconds)
        return Rendering.json(capacity: 8192) { $0.overview(overview, window: window) }
    }

    /// How a program's connections are.
    func listConnections(_ call: Call) throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let names = Set(call.gateway.directory.programs[call.program]?.connections ?? [])
        let reports = call.gateway.connectionReports().filter { names.contains($0.name) }
        return Rendering.json(capacity: 4096) { $0.list(reports) { $0.connection($1) } }
    }
}
