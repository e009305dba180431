import Provisioning
import SQLite

extension Database {
    /// What waits, and what was given up. Only what is pending, dead or due is looked at, through the indexes of it.
    func backlog() throws -> StoreBacklog {
        StoreBacklog(
            eventsPending: try count(deliveries: .pending), eventsDueAt: try firstDue(),
            deadLetters: try count(deliveries: .dead),
            disabledDestinations: try number(
                connection.first("SELECT count(*) FROM destination WHERE status <> 'enabled'") { $0.integer(0) }),
            inboundPending: try number(
                connection.first(
                    "SELECT count(*) FROM (SELECT 1 FROM inbound WHERE due_at IS NOT NULL LIMIT ?)",
                    .integer(Int64(StoreBacklog.limit))
                ) { $0.integer(0) }))
    }

    private func count(deliveries status: StoredDelivery.Status) throws -> Int {
        number(
            try connection.first(
                """
                SELECT count(*) FROM (SELECT 1 FROM destination
                    CROSS JOIN delivery ON delivery.destination = destination.number
                    WHERE delivery.status = ? LIMIT ?)
                """, .text(status.rawValue), .integer(Int64(StoreBacklog.limit))
            ) { $0.integer(0) })
    }

    private func firstDue() throws -> Timestamp? {
        try connection.first(
            """
            SELECT min(due) FROM (SELECT (SELECT min(due_at) FROM delivery
                WHERE delivery.destination = destination.number AND due_at IS NOT NULL) AS due FROM destination)
            """
        ) { $0.optionalInteger(0) }.flatMap { $0 }.map { Timestamp(milliseconds: $0) }
    }

    private func number(_ found: Int64?) -> Int { Int(found ?? 0) }
}
