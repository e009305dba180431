import ProviderKit
import Provisioning
import Sandbox

extension StripeEmulator {
    /// Answers `GET /v1/issuing/tokens/{id}`.
    func readToken(_ id: String, _ request: EmulatedRequest, _ state: StripeState) throws(StripeError)
        -> EmulatedResponse
    {
        let reader = try FormReader(request.parameters, known: ["expand[]", "expand[0]"])
        var expansion = try reader.optional("expand[]")
        if expansion == nil { expansion = try reader.optional("expand[0]") }
        guard expansion == nil || expansion == "network_data" else {
            throw .invalid("This property cannot be expanded.", param: "expand")
        }
        guard let token = state.tokens.first(where: { $0.id == id }) else {
            throw .noSuch("token", status: 404, param: "token")
        }
        var json = JSONWriter()
        token.write(into: &json, withNetworkData: expansion != nil)
        return .json(200, json.finish())
    }

    /// Answers `POST /v1/issuing/tokens/{id}`: `status` and nothing else. A deleted token stays deleted, and only the
    /// network makes a requested one active.
    func changeToken(_ id: String, _ request: EmulatedRequest, _ state: inout StripeState) throws(StripeError)
        -> (answer: EmulatedResponse, hasBegun: Bool)
    {
        try checkForm(request)
        let reader = try FormReader(request.form, known: ["status"])
        let status = try reader.required("status")
        guard ["active", "suspended", "deleted"].contains(status) else {
            throw .invalid("Invalid status: must be one of active, deleted, or suspended", param: "status")
        }
        guard let index = state.tokens.firstIndex(where: { $0.id == id }) else {
            throw .noSuch("token", status: 404, param: "token")
        }
        let former = state.tokens[index].status
        guard former != "deleted", former != "requested" || status == "deleted" else {
            throw .invalid("A token that is \(former) cannot become \(status).", param: "status")
        }
        state.tokens[index].status = status
        state.tokens[index].updatedAt = clock.now
        var json = JSONWriter()
        state.tokens[index].write(into: &json)
        return (.json(200, json.finish()), true)
    }

    /// Answers `GET /v1/issuing/tokens`, a card's tokens, the newest first.
    func listTokens(_ request: EmulatedRequest, _ state: StripeState) throws(StripeError) -> EmulatedResponse {
        let bounds: [(name: String, admits: (Int64, Int64) -> Bool)] = [
            ("created[gt]", { $0 > $1 }), ("created[gte]", { $0 >= $1 }), ("created[lt]", { $0 < $1 }),
            ("created[lte]", { $0 <= $1 }), ("created", { $0 == $1 }),
        ]
        let others: Set = ["card", "status", "limit", "starting_after", "ending_before"]
        let reader = try FormReader(request.parameters, known: others.union(bounds.map(\.name)))
        let card = try reader.required("card")
        var tokens = Array(state.tokens.reversed().filter { $0.cardID == card })
        if let status = try reader.optional("status") { tokens.removeAll { $0.status != status } }
        for bound in bounds {
            guard let moment = try reader.integer(bound.name, in: 0...Int.max) else { continue }
            tokens.removeAll { !bound.admits($0.createdAt.seconds, Int64(moment)) }
        }
        let limit = try reader.integer("limit", in: 1...100) ?? 10
        if let last = try reader.optional("starting_after") {
            tokens = Array(tokens[(try index(of: last, in: tokens, "starting_after") + 1)...])
        }
        if let first = try reader.optional("ending_before") {
            tokens = tokens[..<(try index(of: first, in: tokens, "ending_before"))].suffix(limit)
        }
        let page = tokens.prefix(limit)
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.member("object", "list")
            json.member("data", array: { json in for token in page { token.write(into: &json) } })
            json.member("has_more", page.count < tokens.count)
            json.member("url", "/v1/issuing/tokens")
        }
        return .json(200, json.finish())
    }

    private func index(of id: String, in tokens: [StripeToken], _ parameter: String) throws(StripeError) -> Int {
        guard let index = tokens.firstIndex(where: { $0.id == id }) else {
            throw .noSuch("token", status: 400, param: parameter)
        }
        return index
    }
}
