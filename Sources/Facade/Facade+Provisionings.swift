import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import Storage

extension Facade {
    /// The main job: from a caller's request to the handoff, written straight into wiped memory.
    func provision(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let headers = HeaderReader(request: call.request)
        let idempotencyKey = try headers.idempotencyKey()
        let deadline = try headers.deadlineMilliseconds()
        let body = try RequestBody(call.request.body, with: json)
        var command = try ProvisionBody.read(body, card: key(of: call), receivedAt: call.request.receivedAt)
        command.deadlineMilliseconds = deadline
        command.traceparent = TraceContext.current?.traceparent
        command.idempotency = claim(idempotencyKey, by: call, body)
        let result = try await call.gateway.provision(command)
        var response = Rendering.json(status: 201, capacity: 4096) { json in
            json.provisioning(result.record, handoff: result.handoff)
        }
        response.onDelivery = { result.delivered($0 == .written) }
        return response
    }

    func readProvisioning(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let record = try await call.gateway.provisioning(call.parameter, program: call.program)
        return Rendering.json { $0.provisioning(record) }
    }

    func listProvisionings(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["card", "status", "provider", "limit", "cursor"])
        let status: ProvisioningStatus? = query.word("status")
        let page = query.page()
        try query.finish()
        let records = try await call.gateway.provisionings(
            ProvisioningQuery(
                program: call.program, card: query.text("card"), status: status, provider: query.text("provider"),
                page: page))
        return Rendering.json(capacity: 8192) { json in
            json.list(records.elements, nextCursor: records.nextCursor) { $0.provisioning($1) }
        }
    }
}
