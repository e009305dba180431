import Provisioning
import Storage

extension TokenSighting {
    /// A token of Apple Pay, made so many milliseconds after the start.
    static func sample(
        _ id: String = "token_1", _ status: TokenStatus = .active, raw: String? = nil, after milliseconds: Int64 = 5000,
        precision: Int64 = 1
    ) -> TokenSighting {
        TokenSighting(
            id: id, status: status, rawStatus: raw ?? status.rawValue, wallet: .applePay,
            createdAt: Moment.after(milliseconds), precisionMilliseconds: precision)
    }
}

extension TokenReport {
    /// What a processor says of the tokens of a card, by itself unless told otherwise.
    static func sample(
        _ tokens: TokenSighting..., observedAfter: Int64, receivedAfter: Int64? = nil,
        source: StoredSettlement.Source = .webhook, card: CardKey = .rides("card_1"), providerCardID: String? = nil,
        delivery: InboundEnd? = nil
    ) -> TokenReport {
        TokenReport(
            card: card, provider: "increase", connection: "increase_main",
            providerCardID: providerCardID ?? "card_\(card.id)", source: source, tokens: tokens,
            observedAt: Moment.after(observedAfter), receivedAt: Moment.after(receivedAfter ?? observedAfter + 1),
            delivery: delivery)
    }
}

extension InboundDelivery {
    static func sample(
        _ key: String = "evt_1", connection: String = "increase_main", after milliseconds: Int64 = 0,
        body: String? = "sealed"
    ) -> InboundDelivery {
        InboundDelivery(
            connection: connection, key: key, word: "token.updated", receivedAt: Moment.after(milliseconds),
            sealedBody: body)
    }
}

extension InboundClaim {
    static func sample(_ holder: String = "one", after milliseconds: Int64, limit: Int = 10) -> InboundClaim {
        InboundClaim(
            now: Moment.after(milliseconds), holder: holder, leaseUntil: Moment.after(milliseconds + 60_000),
            limit: limit)
    }
}

extension InboundEnd {
    static func sample(
        _ key: String = "evt_1", holder: String = "one", after milliseconds: Int64,
        _ outcome: InboundEnd.Outcome = .applied
    ) -> InboundEnd {
        InboundEnd(
            connection: "increase_main", key: key, holder: holder, at: Moment.after(milliseconds), outcome: outcome)
    }
}

extension EventQuery {
    static func rides(card: String? = nil, type: String? = nil, after: String? = nil, limit: Int = 100) -> EventQuery {
        EventQuery(program: "rides", card: card, type: type, after: after, page: PageRequest(limit: limit))
    }
}
