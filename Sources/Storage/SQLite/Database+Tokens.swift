import Provisioning

extension Database {
    /// Keeps what a processor says of a card's tokens, attributes them to the card's attempts, moves their statuses, and
    /// writes the events of it.
    func settle(_ report: TokenReport) throws -> TokenSettlement {
        var settlement = TokenSettlement()
        if let delivery = report.delivery, try !inbound.isHeld(delivery) { return settlement }
        if !report.tokens.isEmpty, !report.providerCardID.isEmpty {
            settlement = try apply(report)
        }
        if let change = report.change {
            try audit.append(
                "token.\(change.change.rawValue)", on: change.token, of: report.card.program, by: change.actor,
                at: report.receivedAt,
                before: [AuditMember(name: "status", value: change.former.rawValue, isDigest: false)],
                after: [AuditMember(name: "status", value: change.status?.rawValue ?? "not_told", isDigest: false)])
        }
        if var end = report.delivery {
            if settlement.isTooEarly {
                end.outcome = .again(at: report.receivedAt.adding(milliseconds: 2000), counts: false)
            }
            try inbound.finish(end)
        }
        return settlement
    }

    private func apply(_ report: TokenReport) throws -> TokenSettlement {
        let tokens = report.orderedTokens
        let card = try cards.number(of: report.card)
        var changes = try card.map { number in try tokens.map { try keep($0, of: number, from: report) } } ?? []
        // A token that is no news stands as it is known to stand.
        let known = changes.isEmpty ? tokens : changes.map(\.token.sighting)
        var attempts = TokenSettling(report: report, attempts: try candidates(for: known, in: report))
        for (index, token) in known.enumerated() {
            let owner = try provisionings.attempt(ofToken: token.id, connection: report.connection)
            guard let number = attempts.settle(token, owner: owner) else { continue }
            if owner == nil {
                try provisionings.attribute(token: token.id, connection: report.connection, to: number)
            }
            if changes.indices.contains(index) { changes[index].token.provisioning = attempts.id(of: number) }
        }
        try announce(changes, in: report)
        for record in attempts.changed { try provisionings.change(record) }
        var settlement = TokenSettlement()
        settlement.attempts = attempts.changed
        settlement.tokens = changes.map(\.token)
        settlement.isTooEarly = attempts.isTooEarly
        return settlement
    }

    /// The attempts that the tokens may come from.
    private func candidates(for tokens: [TokenSighting], in report: TokenReport) throws -> [ProvisioningTable.Numbered]
    {
        guard let earliest = TokenAttribution.earliestAttempt(for: tokens) else { return [] }
        return try provisionings.attempts(
            of: report.card, connection: report.connection, providerCardID: report.providerCardID, from: earliest)
    }

    private func keep(_ sighting: TokenSighting, of card: Int64, from report: TokenReport) throws -> SightedToken {
        let known = try tokens.token(sighting.id, at: report.connection)
        let change = SightedToken(sighting, known: known, in: report)
        if known == nil {
            try tokens.insert(change.token, card: card)
        } else if change.token != known {
            try tokens.update(change.token, card: card)
        }
        return change
    }

    private func announce(_ changes: [SightedToken], in report: TokenReport) throws {
        for news in SightedToken.news(of: changes, in: report) {
            try events.append(
                news.type, of: news.token.card, at: report.receivedAt, news.token.eventMembers(from: news.former))
        }
    }

    /// Claims deliveries that are due, in one transaction, so that no two instances read one at once.
    func claim(_ claim: InboundClaim) throws -> [ClaimedDelivery] {
        let due = try inbound.due(claim, atMost: claim.limit)
        for (number, _) in due { try inbound.lease(number, to: claim.holder, until: claim.leaseUntil) }
        return due.map(\.element)
    }
}
