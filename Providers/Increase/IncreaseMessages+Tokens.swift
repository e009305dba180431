import ProviderKit
import Provisioning

/// The list of digital wallet tokens, as Increase spells it.
extension IncreaseConfiguration {
    /// `GET /digital_wallet_tokens?card_id=…&created_at.on_or_after=…&limit=100&cursor=…`
    ///
    /// The moment is cut to whole seconds, because the tokens' may be.
    func listTokens(
        of card: CardBinding, createdFrom: Timestamp, cursor: String?, deadline: ContinuousClock.Instant
    ) throws(ProvisioningError) -> UpstreamRequest {
        let card = try IncreaseProvider.descriptor.pathSegment(for: card)
        let moment = PercentEncoding.encode("\(createdFrom.rfc3339.prefix(19))Z")
        var url = "\(baseURL)/digital_wallet_tokens?card_id=\(card)&created_at.on_or_after=\(moment)&limit=100"
        if let cursor { url += "&cursor=\(PercentEncoding.encode(cursor))" }
        return .json(.get, url, headers: [authorization], deadline: deadline)
    }
}

extension UpstreamAnswer {
    /// The page's tokens. One that is not as the schema says makes the whole list useless: it might be the one looked for.
    func increaseTokens(createdFrom: Timestamp) throws(ProvisioningError) -> [TokenSighting] {
        guard let tokens = body["data"]?.elements else { throw violation("has no list data") }
        var sightings: [TokenSighting] = []
        for token in tokens {
            guard let id = UpstreamReport(status: nil, code: token["id"]?.string).code,
                let status = token["status"]?.string,
                let created = token["created_at"]?.string.flatMap(WrittenMoment.init(rfc3339:))
            else { throw violation("has a token without id, status or created_at") }
            guard created.isAtOrAfter(createdFrom) else { continue }
            sightings.append(
                TokenSighting(
                    id: id, status: Self.increaseStatus(status),
                    rawStatus: UpstreamReport(status: nil, code: status).code ?? "",
                    wallet: token["token_requestor"]?.string.flatMap(Wallet.init(rawValue:)),
                    createdAt: created.timestamp, precisionMilliseconds: created.precisionMilliseconds))
        }
        return sightings
    }

    /// Where the next page begins; nil on the last one.
    func increaseNextCursor() throws(ProvisioningError) -> String? {
        try optionalText("next_cursor", in: body)?.reveal()
    }

    /// `pending_transitioning` says neither where from nor where to, so nothing is claimed of it.
    private static func increaseStatus(_ word: String) -> TokenStatus {
        switch word {
        case "active": .active
        // Created, but not yet through its two-factor step.
        case "inactive": .verificationRequired
        case "suspended": .suspended
        case "deactivated": .deleted
        default: .unknown
        }
    }
}
