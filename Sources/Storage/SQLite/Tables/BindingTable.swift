import Provisioning
import SQLite

/// Which cards at which processors the platform's cards stand for.
struct BindingTable {
    let connection: Connection

    /// Who serves a card.
    enum Serving {
        /// There is no such card.
        case noCard
        /// All its bindings are retired.
        case nobody
        /// This binding, for that cardholder.
        case card(ServingCard)
    }

    /// Who serves a card now: the one function that decides it. Read within the reservation's transaction.
    func serving(_ key: CardKey) throws -> Serving {
        try connection.first(
            """
            SELECT binding.connection, provider_card_id, provider_cardholder_id, last4, network, product_id,
                cardholder_id, cardholder_name, title
            FROM card LEFT JOIN binding ON binding.card = card.number AND state = 'active'
            WHERE program = ? AND id = ?
            """, .text(key.program), .text(key.id)
        ) { row in
            if row.isNull(0) { return .nobody }
            return .card(
                ServingCard(
                    binding: try Self.decode(row), cardholderID: row.text(6), cardholderName: row.text(7),
                    title: row.optionalText(8)))
        } ?? .noCard
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

    /// The program of the card that has, or had, an id at a connection; nil where it is free.
    func owner(of binding: CardBinding) throws -> String? {
        try connection.first(
            """
            SELECT program FROM provider_card JOIN card ON card.number = provider_card.card
            WHERE connection = ? AND provider_card_id = ?
            """, .text(binding.connection), .text(binding.providerCardID)
        ) { $0.text(0) }
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

    private static func decode(_ row: borrowing Row) throws -> CardBinding {
        guard let network = CardNetwork(row.text(4)) else {
            throw StoreFailure.broken("A binding's network is not of its form.")
        }
        return CardBinding(
            connection: row.text(0), providerCardID: row.text(1), providerCardholderID: row.optionalText(2),
            last4: row.text(3), network: network, productID: row.optionalText(5))
    }
}
