import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Facade {
    /// A new destination. Its secret is seen once: a replay leaves it out.
    func addDestination(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let idempotencyKey = try HeaderReader(request: call.request).idempotencyKey()
        let body = try RequestBody(call.request.body, with: json)
        let url = try DestinationBody.read(body)
        let result = try await call.gateway.once(
            claim(idempotencyKey, by: call, body), keep: { Self.kept($0, status: 201) }
        ) { () async throws(Problem) in
            try await call.gateway.addDestination(url: url, program: call.program, actor: call.actor)
        }
        return render(result, status: 201) { json, made in json.destination(made.destination, secret: made.secret) }
    }

    func listDestinations(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["limit", "cursor"])
        let page = query.page()
        try query.finish()
        let list = try await call.gateway.destinations(DestinationQuery(program: call.program, page: page))
        return Rendering.json(capacity: 4096) { json in
            json.list(list.elements, nextCursor: list.nextCursor) { $0.destination($1) }
        }
    }

    /// A destination with what became of its deliveries, the latest first.
    func readDestination(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["status", "limit", "cursor"])
        let page = query.page()
        let status: StoredDelivery.Status? = query.word("status")
        try query.finish()
        let destination = try await call.gateway.destination(call.parameter, program: call.program)
        let log = try await call.gateway.deliveries(
            DeliveryQuery(destination: destination.id, status: status, page: page))
        return Rendering.json(capacity: 8192) { $0.destination(destination, deliveries: log) }
    }

    func removeDestination(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        try await call.gateway.removeDestination(call.parameter, program: call.program, actor: call.actor)
        return Rendering.empty(status: 204)
    }

    /// A new secret for a destination. It is seen once: a replay leaves it out.
    func rotateSecret(_ call: Call) async throws(Problem) -> HTTPResponse {
        let (idempotencyKey, body) = try readEmptyBody(call)
        let result = try await call.gateway.once(
            claim(idempotencyKey, by: call, body), keep: { Self.kept($0, status: 200) }
        ) { () async throws(Problem) in
            try await call.gateway.rotateSecret(of: call.parameter, program: call.program, actor: call.actor)
        }
        return render(result) { json, made in json.destination(made.destination, secret: made.secret) }
    }

    /// Sends events to a destination again.
    func replayEvents(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let idempotencyKey = try HeaderReader(request: call.request).idempotencyKey()
        let body = try RequestBody(call.request.body, with: json)
        let wish = try ReplayBody.read(body)
        let result = try await call.gateway.once(
            claim(idempotencyKey, by: call, body),
            keep: { (answer: ReplayAnswer) in
                var json = JSONWriter()
                json.replay(answer)
                return (202, json.finishText())
            }
        ) { () async throws(Problem) in
            let (queued, next) = try await call.gateway.replay(
                to: call.parameter, program: call.program, from: wish.start, isForDeadOnly: wish.isForDeadOnly,
                actor: call.actor)
            return ReplayAnswer(destination: call.parameter, queued: queued, nextEvent: next)
        }
        return render(result, status: 202) { $0.replay($1) }
    }

    private static func kept(_ made: RevealedDestination, status: Int) -> (status: Int, body: String) {
        var json = JSONWriter()
        json.destination(made.destination)
        return (status, json.finishText())
    }

    /// An answer that was made now, or the one that was kept.
    func render<Answer>(
        _ result: Once<Answer>, status: Int = 200, _ write: (inout JSONWriter, Answer) -> Void
    ) -> HTTPResponse {
        switch result {
        case .done(let answer): Rendering.json(status: status) { write(&$0, answer) }
        case .kept(let status, let body):
            Rendering.body(SecretBytes(utf8: body), type: "application/json", status: status)
        }
    }
}
