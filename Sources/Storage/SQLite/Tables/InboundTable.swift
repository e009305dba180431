import Provisioning
import SQLite

/// The webhooks that came.
struct InboundTable {
    let connection: Connection

    /// Adds a delivery. False where its event is here already.
    func insert(_ delivery: InboundDelivery) throws -> Bool {
        let isToRead = delivery.sealedBody != nil
        return try connection.run(
            """
            INSERT INTO inbound (connection, key, word, received_at, body, due_at, outcome, ended_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (connection, key) DO NOTHING
            """, .text(delivery.connection), .text(delivery.key), .text(orNull: delivery.word),
            .integer(delivery.receivedAt.milliseconds), .text(orNull: delivery.sealedBody),
            .integer(orNull: isToRead ? delivery.receivedAt.milliseconds : nil),
            .text(orNull: isToRead ? nil : "irrelevant"),
            .integer(orNull: isToRead ? nil : delivery.receivedAt.milliseconds)) == 1
    }

    /// Deliveries that are due and that nobody reads, the longest overdue first, with their numbers.
    func due(_ claim: InboundClaim, atMost limit: Int) throws -> [(number: Int64, element: ClaimedDelivery)] {
        try connection.all(
            """
            SELECT number, connection, key, received_at, body, tries FROM inbound
            WHERE due_at <= ?1 AND (lease_until IS NULL OR lease_until <= ?1) AND body IS NOT NULL
            AND instr(?3, '/' || connection || '/') = 0 ORDER BY due_at, number LIMIT ?2
            """, .integer(claim.now.milliseconds), .integer(Int64(limit)),
            .text("/" + claim.except.sorted().joined(separator: "/") + "/"), as: Self.decode)
    }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) -> (number: Int64, element: ClaimedDelivery) {
        (
            row.integer(0),
            ClaimedDelivery(
                connection: row.text(1), key: row.text(2), receivedAt: Timestamp(milliseconds: row.integer(3)),
                sealedBody: row.text(4), tries: Int(row.integer(5)))
        )
    }

    /// Keeps other instances from a delivery.
    func lease(_ number: Int64, to holder: String, until moment: Timestamp) throws {
        try connection.run(
            "UPDATE inbound SET lease_holder = ?, lease_until = ? WHERE number = ?", .text(holder),
            .integer(moment.milliseconds), .integer(number))
    }

    /// Whether an instance has a delivery.
    func isHeld(_ end: InboundEnd) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM inbound WHERE connection = ? AND key = ? AND lease_holder = ?", .text(end.connection),
            .text(end.key), .text(end.holder)
        ) { _ in true } ?? false
    }

    /// Writes how the reading ended, and lets go of the delivery. The body goes, unless it is to be read again.
    func finish(_ end: InboundEnd) throws {
        if case .again(let moment, let counts) = end.outcome {
            try connection.run(
                """
                UPDATE inbound SET due_at = ?, tries = tries + ?, lease_holder = NULL, lease_until = NULL
                WHERE connection = ? AND key = ? AND lease_holder = ?
                """, .integer(moment.milliseconds), .integer(counts ? 1 : 0), .text(end.connection), .text(end.key),
                .text(end.holder))
            return
        }
        try connection.run(
            """
            UPDATE inbound SET outcome = ?, ended_at = ?, occurred_at = ?, provider_card_id = ?, provider_token_id = ?,
                body = NULL, due_at = NULL, lease_holder = NULL, lease_until = NULL
            WHERE connection = ? AND key = ? AND lease_holder = ?
            """, .text(end.outcome.word), .integer(end.at.milliseconds),
            .integer(orNull: end.occurredAt?.milliseconds), .text(orNull: end.providerCardID),
            .text(orNull: end.providerTokenID), .text(end.connection), .text(end.key), .text(end.holder))
    }

    /// Drops some deliveries that came before a moment, the oldest first, and answers how many.
    func drop(before moment: Timestamp, atMost limit: Int) throws -> Int {
        try connection.run(
            """
            DELETE FROM inbound WHERE received_at < ?1
            AND number IN (SELECT number FROM inbound ORDER BY number LIMIT ?2)
            """, .integer(moment.milliseconds), .integer(Int64(limit)))
    }
}

extension InboundEnd.Outcome {
    /// The word that the table keeps.
    var word: String {
        switch self {
        case .applied: "applied"
        case .unmatched: "unmatched"
        case .irrelevant: "irrelevant"
        case .failed: "failed"
        case .again: "again"
        }
    }
}
