import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Facade {
    func listTokens(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["limit", "cursor"])
        let page = query.page()
        try query.finish()
        let tokens = try await call.gateway.tokens(TokenQuery(card: key(of: call), page: page))
        return Rendering.json(capacity: 4096) { json in
            json.list(tokens.elements, nextCursor: tokens.nextCursor) { $0.token($1) }
        }
    }

    func readToken(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let token = try await call.gateway.token(call.parameter, program: call.program)
        return Rendering.json { $0.token(token) }
    }

    /// A change of a token. It needs no body; one that comes must be an empty object.
    func changeToken(_ call: Call, by change: TokenChange) async throws(Problem) -> HTTPResponse {
        let (idempotencyKey, body) = try readEmptyBody(call)
        let result = try await call.gateway.once(
            claim(idempotencyKey, by: call, body),
            keep: { (token: StoredToken) in
                var json = JSONWriter()
                json.token(token)
                return (200, json.finishText())
            }
        ) { () async throws(Problem) in
            try await call.gateway.change(
                call.parameter, program: call.program, by: change, actor: call.actor)
        }
        switch result {
        case .done(let token): return Rendering.json { $0.token(token) }
        case .kept(let status, let body):
            return Rendering.body(SecretBytes(utf8: body), type: "application/json", status: status)
        }
    }

    /// The idempotency key and the body of a request that needs none: one that comes must be an empty object.
    func readEmptyBody(_ call: Call) throws(Problem) -> (idempotencyKey: String?, body: RequestBody) {
        try refuseQuery(call)
        let idempotencyKey = try HeaderReader(request: call.request).idempotencyKey()
        if !call.request.body.isEmpty, !HeaderReader(request: call.request).announces(.json) {
            throw Problem(.unsupportedMediaType, detail: "The body, if there is one, must be `application/json`.")
        }
        let body = try RequestBody(
            call.request.body.isEmpty ? SecretBytes(utf8: "{}") : call.request.body, with: json)
        let findings = Findings()
        _ = body.reader(known: KnownMembers([]), findings: findings)
        try findings.throwAny()
        return (idempotencyKey, body)
    }
}
