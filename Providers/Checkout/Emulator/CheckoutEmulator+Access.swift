import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Synchronization

extension CheckoutEmulator {
    static let knownScopes: Set = [
        "issuing:client", "issuing:card-mgmt", "issuing:card-management-read", "issuing:card-management-write",
    ]
    private static let readingScopes: Set = ["issuing:client", "issuing:card-mgmt", "issuing:card-management-read"]

    /// Answers `POST /connect/token`: the client's credentials stand in the form, in `Authorization: Basic`, or in both.
    func grantToken(_ request: EmulatedRequest) -> EmulatedResponse {
        guard request.method == "POST" else { return CheckoutError.methodNotAllowed.response }
        guard request.header("content-type") == "application/x-www-form-urlencoded", let form = fields(of: request)
        else { return refuse("invalid_request") }
        guard form["grant_type"] == "client_credentials" else { return refuse("unsupported_grant_type") }
        guard isClient(form, request.header("authorization")) else { return refuse("invalid_client") }
        let asked = Set((form["scope"] ?? "").split(separator: " ").map(String.init))
        guard asked.isSubset(of: Self.knownScopes) else { return refuse("invalid_scope") }
        let token = "simulated-access-token-" + CheckoutState.newID("cat")
        let endsAt = clock.now.adding(milliseconds: Int64(tokenLife) * 1000)
        let scopes = asked.isEmpty ? Self.knownScopes : asked
        state.withLock { $0.grants[token] = CheckoutState.Grant(scopes: scopes, endsAt: endsAt) }
        var json = JSONWriter()
        json.object { json in
            json.member("access_token", token)
            json.member("expires_in", tokenLife)
            json.member("token_type", "Bearer")
            json.member("scope", scopes.sorted().joined(separator: " "))
        }
        return .json(200, json.finish())
    }

    /// What is wrong with a call's access token.
    func refusal(of request: EmulatedRequest) -> CheckoutError? {
        guard let token = accessToken(in: request), let grant = state.withLock({ $0.grants[token] }),
            clock.now < grant.endsAt
        else { return .unauthorized }
        return grant.scopes.isDisjoint(with: Self.readingScopes) ? .forbidden : nil
    }

    /// The access token of a call.
    func accessToken(in request: EmulatedRequest) -> String? {
        guard let header = request.header("authorization"), header.hasPrefix("Bearer ") else { return nil }
        return String(header.dropFirst("Bearer ".count))
    }

    private func refuse(_ error: String) -> EmulatedResponse {
        var json = JSONWriter()
        json.object { $0.member("error", error) }
        return .json(400, json.finish())
    }

    /// The form's fields; nil where one stands twice, or it is no form.
    private func fields(of request: EmulatedRequest) -> [String: String]? {
        let text = EmulatedRequest(
            method: request.method, path: request.path, query: request.body.revealText() ?? "%")
        guard let pairs = text.parameters else { return nil }
        var fields: [String: String] = [:]
        for (name, value) in pairs where fields.updateValue(value, forKey: name) != nil { return nil }
        return fields
    }

    private func isClient(_ form: [String: String], _ authorization: String?) -> Bool {
        let inForm = form["client_id"] != nil || form["client_secret"] != nil
        if inForm, form["client_id"] != Self.clientID || form["client_secret"] != Self.clientSecret { return false }
        guard let authorization else { return inForm }
        return authorization == "Basic " + Base64.encode(Array("\(Self.clientID):\(Self.clientSecret)".utf8))
    }
}
