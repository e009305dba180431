import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Whether an attempt is due that nobody follows up.
    func isAnyFollowUpDue(at now: Timestamp) async throws -> Bool {
        try await sql.first("SELECT 1 FROM provisioning WHERE follow_up_at <= $1 LIMIT 1", .integer(now.milliseconds)) {
            _ in true
        } ?? false
    }

    /// Claims attempts that are due: one instance chooses at a time, so that no two have attempts of one card at once.
    /// What another transaction is changing is left for the next time.
    func claim(_ claim: FollowUpClaim) async throws -> [StoredProvisioning] {
        lock(.followUps)
        let due = try await sql.all(
            """
            SELECT * FROM provisioning_record due WHERE follow_up_at <= $1 AND NOT EXISTS
                (SELECT 1 FROM provisioning other WHERE other.program = due.program AND other.card = due.card
                    AND other.connection = due.connection AND other.lease_until > $1)
            ORDER BY follow_up_at, number LIMIT $2 FOR UPDATE OF due SKIP LOCKED
            """, .integer(claim.now.milliseconds), .integer(Int64(claim.limit)), as: ProvisioningTable.decode)
        sql.run(
            "UPDATE provisioning SET lease_holder = $1, lease_until = $2 WHERE number = ANY($3::text::bigint[])",
            .text(claim.holder), .integer(claim.leaseUntil.milliseconds), Self.list(due.map(\.number)))
        return due.map(\.element)
    }

    /// Writes how follow-ups ended.
    func finish(_ ends: [FollowUpEnd]) async throws {
        let ends = ends.sorted { $0.id < $1.id }
        let records = ends.map { end in
            sql.ask(
                """
                SELECT * FROM provisioning_record WHERE id = $1 AND program = $2 AND lease_holder = $3 FOR UPDATE
                """, .text(end.id), .text(end.program), .text(end.holder), as: ProvisioningTable.decode)
        }
        try await sql.send()
        for (end, found) in zip(ends, records) {
            guard var record = found.first?.element else { continue }
            let former = record.status
            record.end(end)
            sql.run(
                "UPDATE provisioning SET lease_holder = NULL, lease_until = NULL WHERE id = $1 AND program = $2",
                .text(end.id), .text(end.program))
            change(record, from: former)
        }
    }
}
