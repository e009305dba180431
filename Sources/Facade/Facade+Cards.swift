import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import Storage

extension Facade {
    func putCard(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let body = try RequestBody(call.request.body, with: json)
        let draft = try CardBody.read(body, key: key(of: call), at: clock.now)
        let (card, isNew) = try await call.gateway.putCard(draft, actor: call.actor)
        return render(card, for: call, status: isNew ? 201 : 200)
    }

    func putBinding(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let body = try RequestBody(call.request.body, with: json)
        let (binding, state) = try BindingBody.read(body, connection: call.secondParameter)
        let (card, isNew) = try await call.gateway.putBinding(
            binding, of: key(of: call), state: state, actor: call.actor)
        return render(card, for: call, status: isNew ? 201 : 200)
    }

    /// Reads cards as they come, one a line, and says at the end what became of them.
    func importCards(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        guard let stream = call.request.bodyStream else { throw Problem(.internalError) }
        let order = CardImportOrder(
            program: call.program, actor: call.actor, lineLimit: call.lineLimit,
            read: { [json, clock] line throws(Problem) in
                try CardLine.read(line, program: call.program, with: json, at: clock.now)
            })
        let report = try await call.gateway.importCards(order) { () async throws(Problem) in
            do throws(HTTPBodyError) { return try await stream.next() } catch {
                throw Problem(.invalidRequest, detail: "The body did not arrive whole. What was stored stays.")
            }
        }
        return Rendering.json(capacity: 4096) { $0.cardImport(report) }
    }

    func readCard(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        return render(try await call.gateway.card(key(of: call)), for: call)
    }

    func eraseCard(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        try await call.gateway.eraseCard(key(of: call), actor: call.actor)
        return Rendering.empty(status: 204)
    }

    func listCards(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["connection", "cardholder", "limit", "cursor"])
        let page = query.page()
        try query.finish()
        let cards = try await call.gateway.cards(
            CardQuery(
                program: call.program, connection: query.text("connection"), cardholderID: query.text("cardholder"),
                page: page))
        let connections = call.gateway.directory.connections
        return Rendering.json(capacity: 8192) { json in
            json.list(cards.elements, nextCursor: cards.nextCursor) { json, card in
                json.card(card, serving: card.servingBinding?.card.connection, connections: connections)
            }
        }
    }

    func cardWallets(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["accept", "wallet"])
        let accept: [HandoffType]? = query.words("accept")
        let wallet: Wallet? = query.word("wallet")
        try query.finish()
        let answers = try await call.gateway.wallets(of: key(of: call), accept: accept, wallet: wallet)
        return Rendering.json(capacity: 4096) { $0.list(answers) { $0.walletEligibility($1) } }
    }

    func cardholderWallets(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["wallet"])
        let wallet: Wallet? = query.word("wallet")
        try query.finish()
        let answers = try await call.gateway.wallets(
            ofCardholder: call.parameter, program: call.program, wallet: wallet)
        return Rendering.json(capacity: 8192) { $0.list(answers) { $0.walletEligibility($1) } }
    }

    func key(of call: Call) -> CardKey { CardKey(program: call.program, id: call.parameter) }

    private func render(_ card: StoredCard, for call: Call, status: Int = 200) -> HTTPResponse {
        let connections = call.gateway.directory.connections
        return Rendering.json(status: status) { json in
            json.card(card, serving: card.servingBinding?.card.connection, connections: connections)
        }
    }
}
