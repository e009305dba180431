import Provisioning

extension Database {
    /// What a report did to one token.
    private struct Change {
        var token: StoredToken
        var effect: StoredToken.Effect?
    }

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
        let tokens = report.tokens.sorted {
            ($0.createdAt?.milliseconds ?? 0, $0.id) < ($1.createdAt?.milliseconds ?? 0, $1.id)
        }
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

    /// The attempts that the tokens may come from. An attempt is made before it is sent: by its deadline at most.
    private func candidates(for tokens: [TokenSighting], in report: TokenReport) throws -> [ProvisioningTable.Numbered]
    {
        guard let first = tokens.compactMap(\.createdAt).min() else { return [] }
        return try provisionings.attempts(
            of: report.card, connection: report.connection, providerCardID: report.providerCardID,
            from: first.adding(milliseconds: -TokenAttribution.windowMilliseconds - 3_600_000))
    }

    private func keep(_ sighting: TokenSighting, of card: Int64, from report: TokenReport) throws -> Change {
        if var token = try tokens.token(sighting.id, at: report.connection) {
            let before = token
            let effect = token.take(sighting, from: report, providerCardID: report.providerCardID)
            if token != before { try tokens.update(token, card: card) }
            return Change(token: token, effect: effect)
        }
        var first = sighting
        first.providerCardID = report.providerCardID
        let token = StoredToken(
            id: IDDigits.id("tok_", at: report.receivedAt), card: report.card, provider: report.provider,
            connection: report.connection, providerCardID: report.providerCardID, sighting: first,
            observedAt: sighting.cut(report.observedAt), createdAt: report.receivedAt, updatedAt: report.receivedAt)
        try tokens.insert(token, card: card)
        return Change(token: token, effect: nil)
    }

    /// Writes the events of what changed. A webhook is one event: of several tokens in it, the newest that changed is told.
    private func announce(_ changes: [Change], in report: TokenReport) throws {
        let news: [(type: EventType, token: StoredToken, former: TokenStatus?)] = changes.compactMap { change in
            switch change.effect {
            case nil: (.token(change.token.sighting.status), change.token, nil)
            case .moved(let former): (.token(change.token.sighting.status), change.token, former)
            case .changedCard: (.tokenCardChanged, change.token, change.token.sighting.status)
            case .stale, .none?: nil
            }
        }
        for (type, token, former) in report.source == .webhook ? news.suffix(1) : news[...] {
            try events.append(type, of: token.card, at: report.receivedAt, token.eventMembers(from: former))
        }
    }

    /// Claims deliveries that are due, in one transaction, so that no two instances read one at once.
    func claim(_ claim: InboundClaim) throws -> [ClaimedDelivery] {
        let due = try inbound.due(claim, atMost: claim.limit)
        for (number, _) in due { try inbound.lease(number, to: claim.holder, until: claim.leaseUntil) }
        return due.map(\.element)
    }
}
