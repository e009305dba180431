import Provisioning
import SQLite

extension ProvisioningTable {
    /// An attempt with its row's number.
    typealias Numbered = (number: Int64, element: StoredProvisioning)

    /// Attempts that are due, the longest overdue first. None of a card that another instance holds an attempt of.
    func due(at now: Timestamp, atMost limit: Int) throws -> [Numbered] {
        try connection.all(
            """
            SELECT * FROM provisioning_record due WHERE follow_up_at <= ?1 AND NOT EXISTS
                (SELECT 1 FROM provisioning other WHERE other.program = due.program AND other.card = due.card
                    AND other.connection = due.connection AND other.lease_until > ?1)
            ORDER BY follow_up_at LIMIT ?2
            """, .integer(now.milliseconds), .integer(Int64(limit)), as: Self.decode)
    }

    /// Keeps other instances from an attempt.
    func lease(_ number: Int64, to holder: String, until moment: Timestamp) throws {
        try connection.run(
            "UPDATE provisioning SET lease_holder = ?, lease_until = ? WHERE number = ?", .text(holder),
            .integer(moment.milliseconds), .integer(number))
    }

    /// Lets go of an attempt. False where this holder does not have it.
    func endLease(of id: String, program: String, by holder: String) throws -> Bool {
        try connection.run(
            """
            UPDATE provisioning SET lease_holder = NULL, lease_until = NULL
            WHERE id = ? AND program = ? AND lease_holder = ?
            """, .text(id), .text(program), .text(holder)) == 1
    }

    /// A card's attempts at a connection that were made at that moment or later.
    func attempts(of card: CardKey, connection name: String, providerCardID: String, from moment: Timestamp) throws
        -> [Numbered]
    {
        try connection.all(
            """
            SELECT * FROM provisioning_record WHERE program = ? AND card = ? AND connection = ?
                AND provider_card_id = ? AND created_at >= ? ORDER BY number
            """, .text(card.program), .text(card.id), .text(name), .text(providerCardID),
            .integer(moment.milliseconds), as: Self.decode)
    }

    /// The number of the attempt that a token came from; nil where it is not known.
    func attempt(ofToken token: String, connection name: String) throws -> Int64? {
        try connection.first(
            "SELECT provisioning FROM attributed_token WHERE connection = ? AND token = ?", .text(name), .text(token)
        ) { $0.integer(0) }
    }

    /// Keeps which attempt a token came from.
    func attribute(token: String, connection name: String, to number: Int64) throws {
        try connection.run(
            "INSERT INTO attributed_token (connection, token, provisioning) VALUES (?, ?, ?)", .text(name),
            .text(token), .integer(number))
    }
}
