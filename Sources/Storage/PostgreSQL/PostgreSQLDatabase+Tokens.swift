import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Asks for the token that has an id at a connection's processor.
    func askForToken(_ providerTokenID: String, at connection: String) -> Answer<(number: Int64, element: StoredToken)>
    {
        sql.ask(
            "SELECT * FROM token_record WHERE connection = $1 AND provider_token_id = $2", .text(connection),
            .text(providerTokenID), as: TokenTable.decode)
    }

    /// The token of that program and id.
    func token(_ id: String, program: String) async throws -> StoredToken? {
        try await sql.first(
            "SELECT * FROM token_record WHERE id = $1 AND program = $2", .text(id), .text(program),
            as: TokenTable.decode)?.element
    }

    /// A page of a card's tokens, in the order in which they were first heard of.
    func tokens(_ query: TokenQuery) async throws -> Page<StoredToken> {
        let start = try query.page.start(in: .tokens) ?? 0
        let limit = query.page.clampedLimit
        let rows = try await sql.all(
            "SELECT * FROM token_record WHERE program = $1 AND card = $2 AND number > $3 ORDER BY number LIMIT $4",
            .text(query.card.program), .text(query.card.id), .integer(start), .integer(Int64(limit + 1)),
            as: TokenTable.decode)
        return Page(rows, limit: limit, of: .tokens)
    }

    /// Adds a token of the card with that number.
    func insert(_ token: StoredToken, card: Int64) {
        sql.run(
            """
            INSERT INTO token (id, card, provider, connection, provider_card_id, provider_token_id, wallet, status,
                raw_status, made_at, precision, last4, network_reference, device_kind, device_name, observed_at,
                created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
            """, .text(token.id), .integer(card), .text(token.provider), .text(token.connection),
            .text(token.providerCardID), .text(token.sighting.id), .text(orNull: token.sighting.wallet?.rawValue),
            .text(token.sighting.status.rawValue), .text(token.sighting.rawStatus),
            .integer(orNull: token.sighting.createdAt?.milliseconds), .integer(token.sighting.precisionMilliseconds),
            .text(orNull: token.sighting.last4), .text(orNull: token.sighting.networkReference),
            .text(orNull: token.sighting.device?.kind), .text(orNull: token.sighting.device?.name),
            .integer(token.observedAt.milliseconds), .integer(token.createdAt.milliseconds),
            .integer(token.updatedAt.milliseconds))
    }

    /// Writes what may change of a token, and whose it is.
    func update(_ token: StoredToken, card: Int64) {
        sql.run(
            """
            UPDATE token SET card = $1, provider_card_id = $2, wallet = $3, status = $4, raw_status = $5, made_at = $6,
                last4 = $7, network_reference = $8, device_kind = $9, device_name = $10, observed_at = $11,
                updated_at = $12
            WHERE id = $13
            """, .integer(card), .text(token.providerCardID), .text(orNull: token.sighting.wallet?.rawValue),
            .text(token.sighting.status.rawValue), .text(token.sighting.rawStatus),
            .integer(orNull: token.sighting.createdAt?.milliseconds), .text(orNull: token.sighting.last4),
            .text(orNull: token.sighting.networkReference), .text(orNull: token.sighting.device?.kind),
            .text(orNull: token.sighting.device?.name), .integer(token.observedAt.milliseconds),
            .integer(token.updatedAt.milliseconds), .text(token.id))
    }
}
