import Provisioning
import SQLite

/// The tokens, as processors told of them.
struct TokenTable {
    let connection: Connection

    /// The token of that program and id.
    func token(_ id: String, program: String) throws -> StoredToken? {
        try connection.first(
            "SELECT * FROM token_record WHERE id = ? AND program = ?", .text(id), .text(program), as: Self.decode
        )?.element
    }

    /// The token that has an id at a connection's processor.
    func token(_ providerTokenID: String, at name: String) throws -> StoredToken? {
        try connection.first(
            "SELECT * FROM token_record WHERE connection = ? AND provider_token_id = ?", .text(name),
            .text(providerTokenID), as: Self.decode)?.element
    }

    /// A page of a card's tokens, in the order in which they were first heard of.
    func tokens(_ query: TokenQuery) throws -> Page<StoredToken> {
        let start = try query.page.start(in: .tokens) ?? 0
        let limit = query.page.clampedLimit
        let rows = try connection.all(
            """
            SELECT * FROM token_record WHERE program = ? AND card = ? AND number > ? ORDER BY number LIMIT ?
            """, .text(query.card.program), .text(query.card.id), .integer(start), .integer(Int64(limit + 1)),
            as: Self.decode)
        return Page(rows, limit: limit, of: .tokens)
    }

    /// Adds a token of the card with that number.
    func insert(_ token: StoredToken, card: Int64) throws {
        try connection.run(
            """
            INSERT INTO token (id, card, provider, connection, provider_card_id, provider_token_id, wallet, status,
                raw_status, made_at, precision, last4, network_reference, device_kind, device_name, observed_at,
                created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
    func update(_ token: StoredToken, card: Int64) throws {
        try connection.run(
            """
            UPDATE token SET card = ?, provider_card_id = ?, wallet = ?, status = ?, raw_status = ?, made_at = ?,
                last4 = ?, network_reference = ?, device_kind = ?, device_name = ?, observed_at = ?, updated_at = ?
            WHERE id = ?
            """, .integer(card), .text(token.providerCardID), .text(orNull: token.sighting.wallet?.rawValue),
            .text(token.sighting.status.rawValue), .text(token.sighting.rawStatus),
            .integer(orNull: token.sighting.createdAt?.milliseconds), .text(orNull: token.sighting.last4),
            .text(orNull: token.sighting.networkReference), .text(orNull: token.sighting.device?.kind),
            .text(orNull: token.sighting.device?.name), .integer(token.observedAt.milliseconds),
            .integer(token.updatedAt.milliseconds), .text(token.id))
    }

    /// Reads a row of `token_record`.
    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) throws -> (number: Int64, element: StoredToken) {
        let sighting = TokenSighting(
            id: row.text(7), status: try TokenStatus(stored: row.text(9)), rawStatus: row.text(10),
            wallet: try row.optionalText(8).map { try Wallet(stored: $0) },
            createdAt: row.optionalInteger(11).map(Timestamp.init(milliseconds:)),
            precisionMilliseconds: row.integer(12), providerCardID: row.text(6), last4: row.optionalText(13),
            networkReference: row.optionalText(14),
            device: TokenDevice(kind: row.optionalText(15), name: row.optionalText(16)))
        return (
            row.integer(0),
            StoredToken(
                id: row.text(1), card: CardKey(program: row.text(2), id: row.text(3)), provider: row.text(4),
                connection: row.text(5), providerCardID: row.text(6), sighting: sighting,
                observedAt: Timestamp(milliseconds: row.integer(17)),
                createdAt: Timestamp(milliseconds: row.integer(18)),
                updatedAt: Timestamp(milliseconds: row.integer(19)), provisioning: row.optionalText(20))
        )
    }
}
