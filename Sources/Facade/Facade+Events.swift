import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Facade {
    func listEvents(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["card", "type", "after", "limit", "cursor"])
        let page = query.page()
        let type = query.pattern("type", of: EventType.self, families: EventType.patterns)
        try query.finish()
        let events = try await call.gateway.events(
            EventQuery(
                program: call.program, card: query.text("card"), type: type, after: query.text("after"), page: page))
        return Rendering.json(capacity: 8192) { json in
            json.list(events.elements, nextCursor: events.nextCursor) { $0.event($1) }
        }
    }

    func readEvent(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let event = try await call.gateway.event(call.parameter, program: call.program)
        return Rendering.json { $0.event(event) }
    }

    /// A processor's webhook. It shows no key of ours: its signature is the proof. The answer comes once it is kept, and
    /// before it is read.
    func takeDelivery(_ call: Call) async throws(Problem) -> HTTPResponse {
        try await call.gateway.receive(
            WebhookDelivery(headers: call.request.headers, body: call.request.body, receivedAt: clock.now),
            at: call.parameter)
        return Rendering.body(SecretBytes(utf8: "ok\n"), type: "text/plain; charset=utf-8")
    }
}
