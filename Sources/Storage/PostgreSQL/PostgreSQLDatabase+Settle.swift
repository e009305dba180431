import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Keeps what a processor says of a card's tokens, attributes them to the card's attempts, moves their statuses, and
    /// writes the events of it.
    func settle(_ report: TokenReport) async throws -> TokenSettlement {
        if report.change != nil { openTrail(of: report.card.program) }
        let held = report.delivery.map { end in
            sql.ask(
                "SELECT 1 FROM inbound WHERE connection = $1 AND key = $2 AND lease_holder = $3 FOR UPDATE",
                .text(end.connection), .text(end.key), .text(end.holder)
            ) { _ in true }
        }
        let card = sql.ask(
            "SELECT number FROM card WHERE program = $1 AND id = $2 FOR NO KEY UPDATE", .text(report.card.program),
            .text(report.card.id)
        ) { $0.integer(0) }
        let known = report.tokens.map { token in
            sql.run(
                "SELECT FROM token WHERE connection = $1 AND provider_token_id = $2 FOR UPDATE",
                .text(report.connection), .text(token.id))
            return askForToken(token.id, at: report.connection)
        }
        let owners = report.tokens.map { token in
            sql.ask(
                "SELECT provisioning FROM attributed_token WHERE connection = $1 AND token = $2",
                .text(report.connection), .text(token.id)
            ) { (token: token.id, provisioning: $0.integer(0)) }
        }
        try await sql.send()
        var settlement = TokenSettlement()
        if let held, held.first != true { return settlement }
        if !report.tokens.isEmpty, !report.providerCardID.isEmpty {
            settlement = try await apply(
                report, card: card.first, known: known.compactMap(\.first?.element),
                owners: owners.compactMap(\.first))
        }
        if let change = report.change {
            append(
                "token.\(change.change.rawValue)", on: change.token, of: report.card.program, by: change.actor,
                at: report.receivedAt,
                before: [AuditMember(name: "status", value: change.former.rawValue, isDigest: false)],
                after: [AuditMember(name: "status", value: change.status?.rawValue ?? "not_told", isDigest: false)])
        }
        if var end = report.delivery {
            if settlement.isTooEarly {
                end.outcome = .again(at: report.receivedAt.adding(milliseconds: 2000), counts: false)
            }
            finish(end)
        }
        return settlement
    }

    private func apply(
        _ report: TokenReport, card: Int64?, known: [StoredToken], owners: [(token: String, provisioning: Int64)]
    ) async throws -> TokenSettlement {
        let tokens = report.orderedTokens
        var known = Dictionary(known.map { ($0.sighting.id, $0) }) { first, _ in first }
        var owners = Dictionary(owners.map { ($0.token, $0.provisioning) }) { first, _ in first }
        var changes: [SightedToken] = []
        if let card {
            for token in tokens {
                let change = SightedToken(token, known: known[token.id], in: report)
                if known[token.id] == nil {
                    insert(change.token, card: card)
                } else if change.token != known[token.id] {
                    update(change.token, card: card)
                }
                known[token.id] = change.token
                changes.append(change)
            }
        }
        // A token that is no news stands as it is known to stand.
        let sightings = changes.isEmpty ? tokens : changes.map(\.token.sighting)
        var attempts = TokenSettling(report: report, attempts: try await candidates(for: sightings, in: report))
        let former = attempts.statuses
        for (index, token) in sightings.enumerated() {
            let owner = owners[token.id]
            guard let number = attempts.settle(token, owner: owner) else { continue }
            if owner == nil {
                sql.run(
                    "INSERT INTO attributed_token (connection, token, provisioning) VALUES ($1, $2, $3)",
                    .text(report.connection), .text(token.id), .integer(number))
                owners[token.id] = number
            }
            if changes.indices.contains(index) { changes[index].token.provisioning = attempts.id(of: number) }
        }
        for news in SightedToken.news(of: changes, in: report) {
            tell(news.type, of: news.token.card, at: report.receivedAt, news.token.eventMembers(from: news.former))
        }
        for record in attempts.changed { change(record, from: former[record.id] ?? record.status) }
        var settlement = TokenSettlement()
        settlement.attempts = attempts.changed
        settlement.tokens = changes.map(\.token)
        settlement.isTooEarly = attempts.isTooEarly
        return settlement
    }

    /// The attempts that the tokens may come from, kept as they are until the transaction ends.
    private func candidates(for tokens: [TokenSighting], in report: TokenReport) async throws
        -> [ProvisioningTable.Numbered]
    {
        guard let earliest = TokenAttribution.earliestAttempt(for: tokens) else { return [] }
        return try await sql.all(
            """
            SELECT * FROM provisioning_record WHERE program = $1 AND card = $2 AND connection = $3
                AND provider_card_id = $4 AND created_at >= $5 ORDER BY number FOR UPDATE
            """, .text(report.card.program), .text(report.card.id), .text(report.connection),
            .text(report.providerCardID), .integer(earliest.milliseconds), as: ProvisioningTable.decode)
    }
}
