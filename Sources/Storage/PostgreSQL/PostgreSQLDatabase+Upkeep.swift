import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Drops a bounded part of what has outlived its time, the oldest first. False once nothing is left to drop.
    func drop(at now: Timestamp, retention: Retention, atMost limit: Int) async throws -> Bool {
        func moment(days: Int) -> PostgreSQLValue {
            .integer(now.adding(milliseconds: -24 * 3600 * 1000 * Int64(days)).milliseconds)
        }
        let atMost = PostgreSQLValue.integer(Int64(limit))
        let answers = [
            sql.run(
                """
                DELETE FROM provisioning WHERE created_at < $1
                AND number IN (SELECT number FROM provisioning ORDER BY number LIMIT $2)
                """, moment(days: retention.provisionings), atMost),
            sql.run(
                """
                DELETE FROM spent_handshake WHERE expires_at <= $1
                AND number IN (SELECT number FROM spent_handshake ORDER BY number LIMIT $2)
                """, .integer(now.milliseconds), atMost),
            sql.run(
                """
                DELETE FROM idempotency WHERE first_used_at <= $1 AND (deadline_at IS NULL OR deadline_at < $2)
                AND number IN (SELECT number FROM idempotency ORDER BY number LIMIT $3)
                """, .integer(now.adding(milliseconds: -IdempotencyRecord.lifetimeMilliseconds).milliseconds),
                .integer(now.adding(milliseconds: -IdempotencyRecord.graceMilliseconds).milliseconds), atMost),
            sql.run(
                """
                DELETE FROM inbound WHERE received_at < $1
                AND number IN (SELECT number FROM inbound ORDER BY number LIMIT $2)
                """, moment(days: retention.inbound), atMost),
            sql.run(
                """
                DELETE FROM delivery
                WHERE number IN (SELECT number FROM delivery WHERE queued_at < $1 ORDER BY queued_at LIMIT $2)
                """, moment(days: retention.deliveries), atMost),
            sql.run(
                """
                DELETE FROM event WHERE created_at < $1 AND number IN (SELECT number FROM event ORDER BY number LIMIT $2)
                """, moment(days: retention.events), atMost),
        ]
        try await sql.send()
        return answers.contains { $0.count > 0 }
    }

    /// Writes a row of its own, and answers the database's time.
    func touch() async throws -> Timestamp {
        sql.run("UPDATE health SET checks = checks + 1 WHERE one = 1")
        return try await time()
    }

    /// The database's time.
    func time() async throws -> Timestamp {
        let now = try await sql.first("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint") { row in
            Timestamp(milliseconds: row.integer(0))
        }
        guard let now else { throw StoreFailure.broken("The database does not tell the time.") }
        return now
    }
}
