import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Asks for the card that has, or had, an id at a connection.
    func askForOwner(of providerCardID: String, at connection: String) -> Answer<CardKey> {
        sql.ask(
            """
            SELECT program, id FROM provider_card JOIN card ON card.number = provider_card.card
            WHERE connection = $1 AND provider_card_id = $2
            """, .text(connection), .text(providerCardID)
        ) { CardKey(program: $0.text(0), id: $0.text(1)) }
    }

    /// The card that a delivery is about, with its id at the processor as it is known.
    func card(ofProviderCard providerCardID: String?, orToken providerTokenID: String?, at connection: String)
        async throws -> (card: CardKey, providerCardID: String)?
    {
        if let providerCardID {
            let owner = askForOwner(of: providerCardID, at: connection)
            try await sql.send()
            if let card = owner.first { return (card, providerCardID) }
        }
        guard let providerTokenID else { return nil }
        let token = askForToken(providerTokenID, at: connection)
        try await sql.send()
        return token.first.map { ($0.element.card, providerCardID ?? $0.element.providerCardID) }
    }

    /// Adds a binding to a card.
    func insert(_ binding: StoredBinding, of card: CardKey) {
        sql.run(
            """
            INSERT INTO binding (card, connection, provider_card_id, provider_cardholder_id, last4, network, product_id,
                state)
            SELECT number, $3, $4, $5, $6, $7, $8, $9 FROM card WHERE program = $1 AND id = $2
            """, .text(card.program), .text(card.id), .text(binding.card.connection),
            .text(binding.card.providerCardID), .text(orNull: binding.card.providerCardholderID),
            .text(binding.card.last4), .text(binding.card.network.description),
            .text(orNull: binding.card.productID), .text(binding.state.rawValue))
        sql.run(
            """
            INSERT INTO provider_card (connection, provider_card_id, card)
            SELECT $3, $4, number FROM card WHERE program = $1 AND id = $2
            """, .text(card.program), .text(card.id), .text(binding.card.connection),
            .text(binding.card.providerCardID))
    }

    /// Asks for what decides who serves a card, and keeps the card from being erased until the transaction ends.
    func askForStanding(of key: CardKey) -> Answer<CardRow> {
        sql.run("SELECT FROM card WHERE program = $1 AND id = $2 FOR KEY SHARE", .text(key.program), .text(key.id))
        return askForCard(key)
    }

    /// Asks for some cards' bindings without their former ids, each card's in the order in which they were made.
    func askForBindings(ofCards numbers: [Int64]) -> Answer<(card: Int64, binding: StoredBinding)> {
        sql.ask(
            """
            SELECT card, connection, provider_card_id, provider_cardholder_id, last4, network, product_id, state
            FROM binding WHERE card = ANY($1::text::bigint[]) ORDER BY card, number
            """, Self.list(numbers)
        ) { row in
            (
                row.integer(0),
                StoredBinding(
                    card: try BindingTable.decode(row, from: 1), state: try StoredBinding.State(stored: row.text(7)))
            )
        }
    }

    /// Writes what a card's binding at a connection is used for.
    func set(_ state: StoredBinding.State, at connection: String, card number: Int64) {
        sql.run(
            "UPDATE binding SET state = $1 WHERE card = $2 AND connection = $3", .text(state.rawValue),
            .integer(number), .text(connection))
    }

    /// How many cards are active where.
    func activeBindings() async throws -> [ActiveBindingCount] {
        try await sql.all(
            """
            SELECT program, connection, count(*) FROM binding JOIN card ON card.number = binding.card
            WHERE state = 'active' GROUP BY program, connection ORDER BY program COLLATE "C", connection COLLATE "C"
            """
        ) { ActiveBindingCount(program: $0.text(0), connection: $0.text(1), cards: Int($0.integer(2))) }
    }
}
