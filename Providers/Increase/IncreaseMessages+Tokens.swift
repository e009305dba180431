import ProviderKit
import Provisioning

/// Digital wallet tokens, as Increase spells them.
extension IncreaseConfiguration {
    /// `GET /digital_wallet_tokens?card_id=…&created_at.on_or_after=…&limit=100&cursor=…`
    ///
    /// The moment is cut to whole seconds, because the tokens' may be.
    func listTokens(
        of card: CardBinding, createdFrom: Timestamp?, cursor: String?, deadline: ContinuousClock.Instant
    ) throws(ProvisioningError) -> UpstreamRequest {
        let card = try IncreaseProvider.descriptor.pathSegment(for: card)
        var url = "\(baseURL)/digital_wallet_tokens?card_id=\(card)"
        if let createdFrom {
            url += "&created_at.on_or_after=\(PercentEncoding.encode("\(createdFrom.rfc3339.prefix(19))Z"))"
        }
        url += "&limit=100"
        if let cursor { url += "&cursor=\(PercentEncoding.encode(cursor))" }
        return .json(.get, url, headers: [authorization], deadline: deadline)
    }

    /// `GET /digital_wallet_tokens/{token}`
    func readToken(_ id: String, deadline: ContinuousClock.Instant) throws(ProvisioningError) -> UpstreamRequest {
        try read(id, matching: IncreaseProvider.tokenIDPattern, in: "digital_wallet_tokens", deadline: deadline)
    }

    /// `GET /digital_wallet_token_requests/{request}`
    func readTokenRequest(_ id: String, deadline: ContinuousClock.Instant) throws(ProvisioningError)
        -> UpstreamRequest
    {
        try read(
            id, matching: IncreaseProvider.tokenRequestIDPattern, in: "digital_wallet_token_requests",
            deadline: deadline)
    }

    private func read(
        _ id: String, matching pattern: IdentifierPattern, in collection: String, deadline: ContinuousClock.Instant
    ) throws(ProvisioningError) -> UpstreamRequest {
        guard let segment = PathSegment(id, matching: pattern) else {
            throw ProvisioningError(
                .tokenNotFound, outcome: .notSent, detail: "The token's id is not of the processor's form.")
        }
        return .json(.get, "\(baseURL)/\(collection)/\(segment)", headers: [authorization], deadline: deadline)
    }
}

extension UpstreamAnswer {
    /// The page's tokens that were made at that moment or later. One that is not as the schema says makes the whole list
    /// useless: it might be the one looked for.
    func increaseTokens(createdFrom: Timestamp?) throws(ProvisioningError) -> [TokenSighting] {
        guard let tokens = body["data"]?.elements else { throw violation("has no list data") }
        var sightings: [TokenSighting] = []
        for token in tokens {
            guard let sighting = TokenSighting(increase: token),
                let created = token["created_at"]?.string.flatMap(WrittenMoment.init(rfc3339:))
            else { throw violation("has a token without id, status or created_at") }
            if let createdFrom, !created.isAtOrAfter(createdFrom) { continue }
            sightings.append(sighting)
        }
        return sightings
    }

    /// Where the next page begins; nil on the last one.
    func increaseNextCursor() throws(ProvisioningError) -> String? {
        try optionalText("next_cursor", in: body)?.reveal()
    }

    /// The token that was asked for.
    func increaseToken(_ id: String) throws(ProvisioningError) -> TokenSighting {
        guard let sighting = TokenSighting(increase: body) else {
            throw violation("is no token with id, status and created_at")
        }
        guard sighting.id == id else { throw violation("is another token than was asked for") }
        return sighting
    }

    /// The declined token that a request for one came to; nil where it was provisioned, and so has a token of its own.
    func increaseDeclinedRequest() throws(ProvisioningError) -> TokenSighting? {
        guard let id = body["id"]?.identifier, let outcome = body["outcome"]?.string,
            let created = body["created_at"]?.string.flatMap(WrittenMoment.init(rfc3339:))
        else { throw violation("has no id, outcome or created_at") }
        guard outcome == "declined" else { return nil }
        return TokenSighting(
            id: id, status: .declined, rawStatus: body["declined"]?["reason"]?.word ?? "",
            wallet: body["token_requestor"]?.string.flatMap(Wallet.init(rawValue:)), createdAt: created.timestamp,
            precisionMilliseconds: created.precisionMilliseconds, providerCardID: body["card_id"]?.identifier,
            networkReference: body["token_reference_identifier"]?.identifier,
            device: TokenDevice(increase: body["device"]))
    }
}

extension TokenSighting {
    /// A `digital_wallet_token`; nil where it lacks what the schema asks for.
    init?(increase token: JSONView) {
        guard let id = token["id"]?.identifier, let status = token["status"]?.string,
            let created = token["created_at"]?.string.flatMap(WrittenMoment.init(rfc3339:))
        else { return nil }
        self.init(
            id: id, status: Self.increaseStatus(status), rawStatus: token["status"]?.word ?? "",
            wallet: token["token_requestor"]?.string.flatMap(Wallet.init(rawValue:)),
            createdAt: created.timestamp, precisionMilliseconds: created.precisionMilliseconds,
            providerCardID: token["card_id"]?.identifier,
            last4: token["dynamic_primary_account_number"]?["last4"]?.lastFour,
            networkReference: token["token_reference_identifier"]?.identifier,
            device: TokenDevice(increase: token["device"]))
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

extension TokenDevice {
    fileprivate init?(increase device: JSONView?) {
        self.init(kind: device?["device_type"]?.string, name: device?["name"]?.string)
    }
}
