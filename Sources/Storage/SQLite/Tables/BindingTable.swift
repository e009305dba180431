import Provisioning
import SQLite

/// Which cards at which processors the platform's cards stand for.
struct BindingTable {
    let connection: Connection

    /// A card as a reservation finds it. Of its bindings former ids are left out.
    struct Standing {
        var cardholderID: String
        var cardholderName: String
        var title: String?
        var bindings: [StoredBinding]
    }

    /// What decides who serves a card, to be read within the reservation's transaction; nil where there is no such card.
    func standing(of key: CardKey) throws -> Standing? {
        var standing: Standing?
        _ = try connection.all(
            """
            SELECT binding.connection, provider_card_id, provider_cardholder_id, last4, network, product_id, state,
                cardholder_id, cardholder_name, title
            FROM card LEFT JOIN binding ON binding.card = card.number WHERE program = ? AND id = ?
            """, .text(key.program), .text(key.id)
        ) { row in
            var found =
                standing
                ?? Standing(
                    cardholderID: row.text(7), cardholderName: row.text(8), title: row.optionalText(9), bindings: [])
            if !row.isNull(0) {
                found.bindings.append(
                    StoredBinding(card: try Self.decode(row), state: try StoredBinding.State(stored: row.text(6))))
            }
            standing = found
        }
        return standing
    }

    /// Writes what a card's binding at a connection is used for.
    func set(_ state: StoredBinding.State, at name: String, card number: Int64) throws {
        try connection.run(
            "UPDATE binding SET state = ? WHERE card = ? AND connection = ?", .text(state.rawValue), .integer(number),
            .text(name))
    }

    /// How many cards a migration would move.
    func reach(_ query: MigrationReachQuery) throws -> MigrationReach {
        // Ids of cards need no escaping in JSON.
        let listed = query.cards.map { cards in "[" + cards.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
        let reach = try connection.first(
            """
            SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM binding target
                WHERE target.card = source.card AND target.connection = ?3 AND target.state <> 'retired'))
            FROM binding source JOIN card ON card.number = source.card
            WHERE source.connection = ?2 AND source.state = 'active' AND program = ?1
                AND (?4 IS NULL OR id IN (SELECT value FROM json_each(?4)))
            """, .text(query.program), .text(query.from), .text(query.to), .text(orNull: listed)
        ) { MigrationReach(cards: Int($0.integer(0)), withoutBinding: Int($0.integer(1))) }
        return reach ?? MigrationReach(cards: 0, withoutBinding: 0)
    }

    /// How many cards are active where.
    func active() throws -> [ActiveBindingCount] {
        try connection.all(
            """
            SELECT program, connection, count(*) FROM binding JOIN card ON card.number = binding.card
            WHERE state = 'active' GROUP BY program, connection ORDER BY program, connection
            """
        ) { ActiveBindingCount(program: $0.text(0), connection: $0.text(1), cards: Int($0.integer(2))) }
    }

    /// A card's bindings in the order in which they were made.
    func bindings(ofCard number: Int64) throws -> [StoredBinding] {
        var bindings = try connection.all(
            """
            SELECT connection, provider_card_id, provider_cardholder_id, last4, network, product_id, state
            FROM binding WHERE card = ? ORDER BY number
            """, .integer(number)
        ) { row in
            StoredBinding(card: try Self.decode(row), state: try StoredBinding.State(stored: row.text(6)))
        }
        let former = try connection.all(
            """
            SELECT connection, provider_card_id FROM provider_card WHERE card = ? AND replaced_at IS NOT NULL
            ORDER BY replaced_at, provider_card_id
            """, .integer(number)
        ) { (connection: $0.text(0), id: $0.text(1)) }
        for (connection, id) in former {
            guard let index = bindings.firstIndex(where: { $0.card.connection == connection }) else { continue }
            bindings[index].formerIDs.append(id)
        }
        return bindings
    }

    /// The card that has, or had, an id at a connection; nil where it is nobody's.
    func card(with providerCardID: String, at name: String) throws -> CardKey? {
        try connection.first(
            """
            SELECT program, id FROM provider_card JOIN card ON card.number = provider_card.card
            WHERE connection = ? AND provider_card_id = ?
            """, .text(name), .text(providerCardID)
        ) { CardKey(program: $0.text(0), id: $0.text(1)) }
    }

    /// Adds a binding to a card.
    func insert(_ binding: StoredBinding, card number: Int64) throws {
        try connection.run(
            """
            INSERT INTO binding (card, connection, provider_card_id, provider_cardholder_id, last4, network, product_id,
                state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(number), .text(binding.card.connection), .text(binding.card.providerCardID),
            .text(orNull: binding.card.providerCardholderID), .text(binding.card.last4),
            .text(binding.card.network.description), .text(orNull: binding.card.productID),
            .text(binding.state.rawValue))
        try connection.run(
            "INSERT INTO provider_card (connection, provider_card_id, card) VALUES (?, ?, ?)",
            .text(binding.card.connection), .text(binding.card.providerCardID), .integer(number))
    }

    /// Writes a card's binding. Where its processor's card is another one, the one before it stays known as a former id.
    func update(
        _ binding: StoredBinding, replacing former: String, card number: Int64, at moment: Timestamp
    ) throws {
        let card = binding.card
        if card.providerCardID != former {
            try connection.run(
                "UPDATE provider_card SET replaced_at = ? WHERE connection = ? AND provider_card_id = ?",
                .integer(moment.milliseconds), .text(card.connection), .text(former))
            try connection.run(
                """
                INSERT INTO provider_card (connection, provider_card_id, card) VALUES (?, ?, ?)
                ON CONFLICT (connection, provider_card_id) DO UPDATE SET replaced_at = NULL
                """, .text(card.connection), .text(card.providerCardID), .integer(number))
        }
        try connection.run(
            """
            UPDATE binding SET provider_card_id = ?, provider_cardholder_id = ?, last4 = ?, network = ?,
                product_id = ?, state = ?
            WHERE card = ? AND connection = ?
            """, .text(card.providerCardID), .text(orNull: card.providerCardholderID), .text(card.last4),
            .text(card.network.description), .text(orNull: card.productID), .text(binding.state.rawValue),
            .integer(number), .text(card.connection))
    }

    /// Reads a binding that begins at a column.
    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R, from first: Int32 = 0) throws -> CardBinding {
        guard let network = CardNetwork(row.text(first + 4)) else {
            throw StoreFailure.broken("A binding's network is not of its form.")
        }
        return CardBinding(
            connection: row.text(first), providerCardID: row.text(first + 1),
            providerCardholderID: row.optionalText(first + 2), last4: row.text(first + 3), network: network,
            productID: row.optionalText(first + 5))
    }
}
