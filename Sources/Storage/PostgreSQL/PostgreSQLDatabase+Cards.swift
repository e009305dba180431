import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// A card with its number.
    typealias NumberedCard = (number: Int64, card: StoredCard)

    /// A row of a card with one of its bindings and one of that one's former ids; without them where there are none.
    struct CardRow {
        let card: NumberedCard
        let binding: (number: Int64, element: StoredBinding)?
        let formerID: String?

        init(_ row: borrowing Row) throws {
            card = try CardTable.decode(row)
            binding =
                row.isNull(10)
                ? nil
                : (
                    row.integer(10),
                    StoredBinding(
                        card: try BindingTable.decode(row, from: 11),
                        state: try StoredBinding.State(stored: row.text(17)))
                )
            formerID = row.optionalText(18)
        }

        /// The cards that the rows tell of, in the rows' order.
        static func cards(_ rows: [CardRow]) -> [NumberedCard] {
            var cards: [NumberedCard] = []
            var lastBinding: Int64?
            for row in rows {
                if cards.last?.number != row.card.number { (lastBinding, cards) = (nil, cards + [row.card]) }
                guard let (number, binding) = row.binding else { continue }
                let last = cards.count - 1
                if number != lastBinding { cards[last].card.bindings.append(binding) }
                lastBinding = number
                guard let id = row.formerID else { continue }
                cards[last].card.bindings[cards[last].card.bindings.count - 1].formerIDs.append(id)
            }
            return cards
        }
    }

    /// Asks for a card; with a cardholder, only where it is that cardholder's.
    func askForCard(_ key: CardKey, ofCardholder cardholderID: String? = nil) -> Answer<CardRow> {
        sql.ask(
            """
            SELECT card.number, program, id, cardholder_id, cardholder_name, title, art_url, metadata, card.created_at,
                card.updated_at, binding.number, binding.connection, binding.provider_card_id, provider_cardholder_id,
                last4, network, product_id, state, former.provider_card_id
            FROM card LEFT JOIN binding ON binding.card = card.number
            LEFT JOIN provider_card former ON former.card = card.number AND former.connection = binding.connection
                AND former.replaced_at IS NOT NULL
            WHERE program = $1 AND id = $2 AND ($3::text IS NULL OR cardholder_id = $3)
            ORDER BY binding.number, former.replaced_at, former.provider_card_id
            """, .text(key.program), .text(key.id), .text(orNull: cardholderID), as: CardRow.init)
    }

    /// Keeps a card as it is until the transaction ends, and asks for it.
    func askForCardToChange(_ key: CardKey) -> Answer<CardRow> {
        sql.run("SELECT FROM card WHERE program = $1 AND id = $2 FOR UPDATE", .text(key.program), .text(key.id))
        return askForCard(key)
    }

    /// A card with what the migration in force means for it.
    func card(_ key: CardKey, ofCardholder cardholderID: String? = nil) async throws -> StoredCard? {
        let rows = askForCard(key, ofCardholder: cardholderID)
        let migration = askForMigrationInForce(program: key.program, card: key.id)
        try await sql.send()
        return CardRow.cards(rows.rows).first.map { Self.whole($0.card, under: migration.first) }
    }

    static func whole(_ card: StoredCard, under migration: MigrationInForce?) -> StoredCard {
        var card = card
        card.migration = migration?.meaning(ofCardholder: card.cardholderID)
        return card
    }

    /// One card more than the page holds, in order of creation.
    func cards(_ query: CardQuery) async throws -> Page<StoredCard> {
        let start = try query.page.start(in: .cards) ?? 0
        let limit = query.page.clampedLimit
        let rows = sql.ask(
            """
            WITH page AS (
                SELECT * FROM card WHERE program = $1 AND number > $2 AND ($3::text IS NULL OR cardholder_id = $3)
                    AND ($4::text IS NULL OR EXISTS
                        (SELECT 1 FROM binding WHERE binding.card = card.number AND connection = $4))
                ORDER BY number LIMIT $5
            )
            SELECT page.number, program, id, cardholder_id, cardholder_name, title, art_url, metadata, page.created_at,
                page.updated_at, binding.number, binding.connection, binding.provider_card_id, provider_cardholder_id,
                last4, network, product_id, state, former.provider_card_id
            FROM page LEFT JOIN binding ON binding.card = page.number
            LEFT JOIN provider_card former ON former.card = page.number AND former.connection = binding.connection
                AND former.replaced_at IS NOT NULL
            ORDER BY page.number, binding.number, former.replaced_at, former.provider_card_id
            """, .text(query.program), .integer(start), .text(orNull: query.cardholderID),
            .text(orNull: query.connection), .integer(Int64(limit + 1)), as: CardRow.init)
        let inForce = askForMigrationInForce(program: query.program, card: "")
        try await sql.send()
        let cards = CardRow.cards(rows.rows)
        var listed: Set<String> = []
        if let migration = inForce.first, case .cards = migration.element.cohort {
            listed = try await self.listed(cards.map(\.card.key.id), in: migration.number)
        }
        let elements = cards.map { number, card in
            var migration = inForce.first
            migration?.isListed = listed.contains(card.key.id)
            return (number: number, element: Self.whole(card, under: migration))
        }
        return Page(elements, limit: limit, of: .cards)
    }

    /// Removes a card with its bindings, and the processors' ids from its attempts. False where it is unknown.
    func eraseCard(_ key: CardKey, by actor: AuditActor, at now: Timestamp) async throws -> Bool {
        openTrail(of: key.program)
        let found = askForCardToChange(key)
        try await sql.send()
        guard let (number, card) = CardRow.cards(found.rows).first else { return false }
        sql.run("DELETE FROM card WHERE number = $1", .integer(number))
        sql.run(
            """
            DELETE FROM attributed_token WHERE provisioning IN
                (SELECT number FROM provisioning WHERE program = $1 AND card = $2)
            """, .text(key.program), .text(key.id))
        sql.run(
            "UPDATE provisioning SET provider_card_id = '' WHERE program = $1 AND card = $2", .text(key.program),
            .text(key.id))
        append("card.erased", on: key, by: actor, at: now, before: chain.members(of: card), after: [])
        return true
    }
}
