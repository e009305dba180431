import Provisioning
import SQLite

/// Where events are sent.
struct DestinationTable {
    let connection: Connection

    /// Adds a destination.
    func insert(_ destination: StoredDestination) throws {
        try connection.run(
            """
            INSERT INTO destination (id, program, url, status, secret, former_secret, former_until, created_at,
                updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(destination.id), .text(destination.program), .text(destination.url),
            .text(destination.status.rawValue), .text(destination.sealedSecret),
            .text(orNull: destination.formerSealedSecret), .integer(orNull: destination.formerUntil?.milliseconds),
            .integer(destination.createdAt.milliseconds), .integer(destination.updatedAt.milliseconds))
    }

    /// The destination of that program and id, with its number.
    func destination(_ id: String, program: String) throws -> (number: Int64, element: StoredDestination)? {
        try connection.first(
            "SELECT * FROM destination WHERE id = ? AND program = ?", .text(id), .text(program),
            as: Self.decode)
    }

    /// The destination of that number.
    func destination(numbered number: Int64) throws -> StoredDestination? {
        try connection.first("SELECT * FROM destination WHERE number = ?", .integer(number), as: Self.decode)?.element
    }

    /// A page of a program's destinations, in order of creation.
    func destinations(_ query: DestinationQuery) throws -> Page<StoredDestination> {
        let start = try query.page.start(in: .destinations) ?? 0
        let limit = query.page.clampedLimit
        let rows = try connection.all(
            "SELECT * FROM destination WHERE program = ? AND number > ? ORDER BY number LIMIT ?",
            .text(query.program), .integer(start), .integer(Int64(limit + 1)), as: Self.decode)
        return Page(rows, limit: limit, of: .destinations)
    }

    /// Every destination to which something is due, the longest overdue first.
    func withDue(at now: Timestamp) throws -> [(number: Int64, element: StoredDestination)] {
        try connection.all(
            """
            SELECT destination.*, (
                SELECT due_at FROM delivery WHERE destination = destination.number AND due_at <= ?1
                AND (lease_until IS NULL OR lease_until <= ?1) ORDER BY due_at LIMIT 1
            ) AS first
            FROM destination WHERE first IS NOT NULL ORDER BY first
            """, .integer(now.milliseconds), as: Self.decode)
    }

    /// Writes what may change of a destination.
    func update(_ destination: StoredDestination) throws {
        try connection.run(
            """
            UPDATE destination SET status = ?, secret = ?, former_secret = ?, former_until = ?, updated_at = ?
            WHERE id = ?
            """, .text(destination.status.rawValue), .text(destination.sealedSecret),
            .text(orNull: destination.formerSealedSecret), .integer(orNull: destination.formerUntil?.milliseconds),
            .integer(destination.updatedAt.milliseconds), .text(destination.id))
    }

    /// Turns a destination off, and ends all that waits for it.
    func disable(_ number: Int64, at moment: Timestamp) throws {
        try connection.run(
            "UPDATE destination SET status = 'disabled', updated_at = ? WHERE number = ?",
            .integer(moment.milliseconds), .integer(number))
        try connection.run(
            """
            UPDATE delivery SET status = 'dead', due_at = NULL, lease_holder = NULL, lease_until = NULL
            WHERE destination = ? AND status = 'pending'
            """, .integer(number))
    }

    /// Removes a destination with its deliveries.
    func remove(_ id: String) throws { try connection.run("DELETE FROM destination WHERE id = ?", .text(id)) }

    /// Reads a row of the table.
    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) throws -> (
        number: Int64, element: StoredDestination
    ) {
        (
            row.integer(0),
            StoredDestination(
                id: row.text(1), program: row.text(2), url: row.text(3),
                status: try StoredDestination.Status(stored: row.text(4)), sealedSecret: row.text(5),
                formerSealedSecret: row.optionalText(6),
                formerUntil: row.optionalInteger(7).map { Timestamp(milliseconds: $0) },
                createdAt: Timestamp(milliseconds: row.integer(8)), updatedAt: Timestamp(milliseconds: row.integer(9)))
        )
    }
}
