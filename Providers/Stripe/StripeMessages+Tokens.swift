import ProviderKit
import Provisioning
import SecretMemory

/// Tokens, as Stripe spells them.
extension StripeConfiguration {
    /// `GET /v1/issuing/tokens?card=…`, a page of the card's tokens. Stripe counts time in whole seconds.
    func listTokens(
        of card: CardBinding, createdFrom: Timestamp?, after token: String?, deadline: ContinuousClock.Instant
    ) throws(ProvisioningError) -> UpstreamRequest {
        let card = try StripeProvider.descriptor.pathSegment(for: card)
        var query = "card=\(card)"
        if let createdFrom { query += "&created%5Bgte%5D=\(createdFrom.seconds)" }
        query += "&limit=100"
        if let token { query += "&starting_after=\(PercentEncoding.encode(token))" }
        return .json(.get, "\(baseURL)/v1/issuing/tokens?\(query)", headers: headers(version), deadline: deadline)
    }

    /// `GET /v1/issuing/tokens/{token}` with its network data, which Stripe tells for a day after the token was made.
    func readToken(_ id: String, deadline: ContinuousClock.Instant) throws(ProvisioningError) -> UpstreamRequest {
        .json(
            .get, "\(baseURL)/v1/issuing/tokens/\(try Self.segment(id))?expand%5B%5D=network_data",
            headers: headers(version), deadline: deadline)
    }

    /// `POST /v1/issuing/tokens/{token}`
    func changeToken(
        _ id: String, by change: TokenChange, idempotencyKey: String, deadline: ContinuousClock.Instant
    ) throws(ProvisioningError) -> UpstreamRequest {
        let status =
            switch change {
            case .suspend: "suspended"
            case .resume: "active"
            case .delete: "deleted"
            }
        return .form(
            "\(baseURL)/v1/issuing/tokens/\(try Self.segment(id))", members: [("status", SecretText(status))],
            headers: headers(version) + [.init("Idempotency-Key", idempotencyKey)], deadline: deadline)
    }

    private static func segment(_ id: String) throws(ProvisioningError) -> PathSegment {
        guard let segment = PathSegment(id, matching: StripeProvider.tokenIDPattern) else {
            throw ProvisioningError(
                .tokenNotFound, outcome: .notSent, detail: "The token's id is not of the processor's form.")
        }
        return segment
    }
}

extension UpstreamAnswer {
    /// A page of tokens, and the id to go on after where there are more. One token that is none makes the whole list
    /// useless: it might be the one looked for.
    func stripeTokens() throws(ProvisioningError) -> (page: [TokenSighting], next: String?) {
        guard let data = body["data"]?.elements else { throw violation("has no list in data") }
        var page: [TokenSighting] = []
        for token in data {
            guard let sighting = TokenSighting(stripe: token) else {
                throw violation("has a token without id, status or created")
            }
            page.append(sighting)
        }
        guard body["has_more"]?.bool == true else { return (page, nil) }
        guard let last = page.last else { throw violation("has more tokens, but none here") }
        return (page, last.id)
    }

    /// The token that was asked for.
    func stripeToken(_ id: String) throws(ProvisioningError) -> TokenSighting {
        guard let sighting = TokenSighting(stripe: body) else {
            throw violation("is no token with id, status and created")
        }
        guard sighting.id == id else { throw violation("is another token than was asked for") }
        return sighting
    }
}

extension TokenSighting {
    /// An `issuing.token`; nil where it lacks what the schema asks for. The card may be an id or the whole object.
    init?(stripe token: JSONView) {
        guard let id = token["id"]?.identifier, let status = token["status"]?.string,
            let created = token["created"]?.integer.flatMap(Int64.init(exactly:)),
            (0...Self.stripeLastSecond).contains(created)
        else { return nil }
        let network = token["network_data"]
        let reference = network?["visa"] ?? network?["mastercard"]
        self.init(
            id: id, status: Self.stripeStatuses[status] ?? .unknown, rawStatus: token["status"]?.word ?? "",
            wallet: token["wallet_provider"]?.string.flatMap(Wallet.init(rawValue:)),
            createdAt: Timestamp(seconds: created), precisionMilliseconds: 1000,
            providerCardID: token["card"]?.identifier ?? token["card"]?["id"]?.identifier,
            last4: token["last4"]?.lastFour,
            networkReference: reference?["token_reference_id"]?.identifier,
            device: network?["device"].flatMap { TokenDevice(kind: $0["type"]?.string, name: $0["name"]?.string) })
    }

    /// The end of the year 9999: what is later is no time.
    private static let stripeLastSecond: Int64 = 253_402_300_799

    private static let stripeStatuses: [String: TokenStatus] = [
        "requested": .requested, "active": .active, "suspended": .suspended, "deleted": .deleted,
    ]
}
