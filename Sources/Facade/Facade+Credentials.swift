import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Facade {
    /// A short-lived credential for a processor's SDK. Its token is seen once: a replay leaves it out.
    func walletCredential(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let idempotencyKey = try HeaderReader(request: call.request).idempotencyKey()
        let body = try RequestBody(call.request.body, with: json)
        let wish = try CredentialBody.read(body)
        let result = try await call.gateway.once(
            claim(idempotencyKey, by: call, body),
            keep: { (credential: WalletCredential) in
                var json = JSONWriter()
                json.walletCredential(credential, showsToken: false)
                return (201, json.finishText())
            }
        ) { () async throws(Problem) in
            try await call.gateway.credential(
                for: wish.purpose, of: key(of: call), wallet: wish.wallet, token: wish.token)
        }
        switch result {
        case .done(let credential):
            return Rendering.json(status: 201) { $0.walletCredential(credential, showsToken: true) }
        case .kept(let status, let body):
            return Rendering.body(SecretBytes(utf8: body), type: "application/json", status: status)
        }
    }

    /// The wish to use the caller's idempotency key for this request; nil where there is none.
    func claim(_ key: String?, by call: Call, _ body: RequestBody) -> IdempotencyClaim? {
        guard let key else { return nil }
        // A path has one parameter at most.
        let path = ["{card}", "{id}", "{token}"].reduce(call.route.template) { $0.replacing($1, with: call.parameter) }
        return IdempotencyClaim(
            key: IdempotencyKey(program: call.program, route: "\(call.route.method) \(path)", key: key),
            fingerprint: cryptography.sha256([body.canonical]))
    }
}
