import Foundation
import PassgateClient
import ProviderKit
import SecretMemory
import Synchronization
import Testing

@testable import Facade

/// Carries the kit's calls by the project's own client, and keeps which routes they took and what was answered.
final class KitExecutor: HTTPExecuting {
    private let transport: any UpstreamTransport
    private let state = Mutex((routes: Set<String>(), body: Data(), unknown: [String]()))

    init(_ transport: any UpstreamTransport) { self.transport = transport }

    /// The routes that were taken, such as `GET /v1/cards/{card}`.
    var routes: Set<String> { state.withLock { $0.routes } }
    /// What was answered last.
    var lastBody: Data { state.withLock { $0.body } }
    /// Calls that lead to no route.
    var astray: [String] { state.withLock { $0.unknown } }

    func execute(_ call: HTTPCall) async throws -> HTTPAnswer {
        let method = try #require(UpstreamRequest.Method(rawValue: call.method))
        var request = UpstreamRequest(
            method, call.url, headers: call.headers.map { .init($0.name, $0.value) },
            body: call.body.map { SecretBytes([UInt8]($0)) }, deadline: .now + call.timeout)
        request.answerLimit = 4 << 20
        let answer = try await transport.send(request)
        let body = Data(answer.body.reveal())
        let path = String(try #require(URL(string: call.url)).path(percentEncoded: true))
        state.withLock { state in
            state.body = body
            if case .route(let route, _) = RouteTable.shared.match(method: call.method, path: path) {
                state.routes.insert("\(route.method) \(route.template)")
            } else {
                state.unknown.append("\(call.method) \(path)")
            }
        }
        return HTTPAnswer(status: answer.status, headers: answer.headers, body: body)
    }

    /// Whether the value holds all that was answered last: every member but those that are null, and none besides.
    func expectWhole(_ value: some Encodable, location: SourceLocation = #_sourceLocation) throws {
        let decoder = JSONDecoder()
        var said = try decoder.decode(JSONValue.self, from: lastBody).withoutNulls
        let kept = try decoder.decode(JSONValue.self, from: JSONEncoder().encode(value)).withoutNulls
        if case .object(var members) = said {
            members["handoff"] = nil
            // A list that has one part is given as its elements.
            if case .array = kept, let data = members["data"] { said = data } else { said = .object(members) }
        }
        #expect(kept == said, sourceLocation: location)
    }
}

extension JSONValue {
    fileprivate var withoutNulls: JSONValue {
        switch self {
        case .object(let members): .object(members.filter { $0.value != .null }.mapValues(\.withoutNulls))
        case .array(let elements): .array(elements.map(\.withoutNulls))
        default: self
        }
    }
}
