import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Adds a delivery. False where its event is here already.
    func receive(_ delivery: InboundDelivery) async throws -> Bool {
        let isToRead = delivery.sealedBody != nil
        return try await sql.change(
            """
            INSERT INTO inbound (connection, key, word, received_at, body, due_at, outcome, ended_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (connection, key) DO NOTHING
            """, .text(delivery.connection), .text(delivery.key), .text(orNull: delivery.word),
            .integer(delivery.receivedAt.milliseconds), .text(orNull: delivery.sealedBody),
            .integer(orNull: isToRead ? delivery.receivedAt.milliseconds : nil),
            .text(orNull: isToRead ? nil : InboundEnd.Outcome.irrelevant.word),
            .integer(orNull: isToRead ? nil : delivery.receivedAt.milliseconds)) == 1
    }

    /// Claims deliveries that are due. What another instance is claiming at this moment is left to it.
    func claim(_ claim: InboundClaim) async throws -> [ClaimedDelivery] {
        let claimed = try await sql.all(
            """
            WITH due AS (
                SELECT number FROM inbound
                WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1) AND body IS NOT NULL
                    AND connection <> ALL(string_to_array($5, '/'))
                ORDER BY due_at, number LIMIT $2 FOR UPDATE SKIP LOCKED
            )
            UPDATE inbound SET lease_holder = $3, lease_until = $4 FROM due WHERE inbound.number = due.number
            RETURNING inbound.number, connection, key, received_at, body, tries, due_at
            """, .integer(claim.now.milliseconds), .integer(Int64(claim.limit)), .text(claim.holder),
            .integer(claim.leaseUntil.milliseconds), .text(claim.except.sorted().joined(separator: "/"))
        ) { row in (dueAt: row.integer(6), delivery: InboundTable.decode(row)) }
        return claimed.sorted { ($0.dueAt, $0.delivery.number) < ($1.dueAt, $1.delivery.number) }
            .map(\.delivery.element)
    }

    /// Writes how the reading ended, and lets go of the delivery. The body goes, unless it is to be read again.
    func finish(_ end: InboundEnd) {
        if case .again(let moment, let counts) = end.outcome {
            sql.run(
                """
                UPDATE inbound SET due_at = $1, tries = tries + $2, lease_holder = NULL, lease_until = NULL
                WHERE connection = $3 AND key = $4 AND lease_holder = $5
                """, .integer(moment.milliseconds), .integer(counts ? 1 : 0), .text(end.connection), .text(end.key),
                .text(end.holder))
            return
        }
        sql.run(
            """
            UPDATE inbound SET outcome = $1, ended_at = $2, occurred_at = $3, provider_card_id = $4,
                provider_token_id = $5, body = NULL, due_at = NULL, lease_holder = NULL, lease_until = NULL
            WHERE connection = $6 AND key = $7 AND lease_holder = $8
            """, .text(end.outcome.word), .integer(end.at.milliseconds),
            .integer(orNull: end.occurredAt?.milliseconds), .text(orNull: end.providerCardID),
            .text(orNull: end.providerTokenID), .text(end.connection), .text(end.key), .text(end.holder))
    }
}
