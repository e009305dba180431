import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Facade {
    /// What the device said of an attempt. One that the table of transitions does not allow is kept all the same.
    func reportOutcome(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let idempotencyKey = try HeaderReader(request: call.request).idempotencyKey()
        let body = try RequestBody(call.request.body, with: json)
        let report = try OutcomeBody.read(body, id: call.parameter, program: call.program, at: clock.now)
        let result = try await call.gateway.once(
            claim(idempotencyKey, by: call, body),
            keep: { (record: StoredProvisioning) in
                var json = JSONWriter()
                json.provisioning(record)
                return (202, json.finishText())
            }
        ) { () async throws(Problem) in
            try await call.gateway.note(report)
        }
        switch result {
        case .done(let record): return Rendering.json(status: 202) { $0.provisioning(record) }
        case .kept(let status, let body):
            return Rendering.body(SecretBytes(utf8: body), type: "application/json", status: status)
        }
    }

    /// The steps of an attempt, in order.
    func readTimeline(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let record = try await call.gateway.provisioning(call.parameter, program: call.program)
        return Rendering.json(capacity: 4096) { json in
            json.list(record.timeline) { $0.timelineStep($1) }
        }
    }
}
