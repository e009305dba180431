import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Adds up how a program's attempts went: through the index of the program, from the window's first attempt on, and
    /// a bounded number of them.
    func overview(_ query: OverviewQuery) async throws -> AttemptOverview {
        let first = askForFirstNumber(from: query.from)
        let furthest = sql.ask(
            "SELECT number FROM provisioning WHERE program = $1 ORDER BY number DESC LIMIT 1 OFFSET $2",
            .text(query.program), .integer(Int64(OverviewQuery.attemptLimit - 1))
        ) { $0.integer(0) }
        try await sql.send()
        let start = max(first.first ?? 0, furthest.first ?? 0)
        let funnels = askForFunnels(of: query.program, from: start)
        let newest = askForFailures(of: query.program, from: start)
        try await sql.send()
        return AttemptOverview(
            funnels: funnels.rows, failures: AttemptOverview.Failures.summed(newest.rows),
            isWhole: start == first.first ?? 0 && newest.rows.count <= OverviewQuery.failureLimit)
    }

    private func askForFunnels(of program: String, from start: Int64) -> Answer<AttemptOverview.Funnel> {
        sql.ask(
            """
            SELECT provider, connection, wallet, count(*),
                count(*) FILTER (WHERE delivered_at IS NOT NULL
                    OR status IN ('handed_off', 'added', 'requested', 'verification_required', 'active')),
                count(*) FILTER (WHERE token_seen_at IS NOT NULL
                    OR status IN ('added', 'requested', 'verification_required', 'active')),
                count(*) FILTER (WHERE status = 'active'), count(*) FILTER (WHERE status = 'unknown'),
                count(*) FILTER (WHERE status = 'refused')
            FROM provisioning WHERE program = $1 AND number >= $2
            GROUP BY provider, connection, wallet ORDER BY connection COLLATE "C", wallet COLLATE "C"
            """, .text(program), .integer(start)
        ) { row in
            AttemptOverview.Funnel(
                provider: row.text(0), connection: row.text(1), wallet: try Wallet(stored: row.text(2)),
                attempted: Int(row.integer(3)), handedOff: Int(row.integer(4)), tokens: Int(row.integer(5)),
                active: Int(row.integer(6)), unknown: Int(row.integer(7)), failed: Int(row.integer(8)))
        }
    }

    private func askForFailures(of program: String, from start: Int64) -> Answer<AttemptOverview.Failures> {
        sql.ask(
            """
            SELECT failure, provider, connection, id, created_at FROM provisioning
            WHERE program = $1 AND number >= $2 AND failure IS NOT NULL ORDER BY number DESC LIMIT $3
            """, .text(program), .integer(start), .integer(Int64(OverviewQuery.failureLimit + 1))
        ) { row in
            AttemptOverview.Failures(
                code: try StoredFailure(packed: row.bytes(0)).code, provider: row.text(1), connection: row.text(2),
                count: 1, latest: row.text(3), latestAt: Timestamp(milliseconds: row.integer(4)))
        }
    }

    /// The first attempt, of any program, that began at a moment or later. Numbers grow with time, but for what is under
    /// way at once, so it is found by halving.
    private func askForFirstNumber(from moment: Timestamp) -> Answer<Int64> {
        sql.ask(
            """
            WITH RECURSIVE half (low, high) AS (
                SELECT 0::bigint, coalesce(max(number), 0) + 1 FROM provisioning
                UNION ALL
                SELECT CASE WHEN next.created_at < $1 THEN next.number + 1 ELSE low END,
                    CASE WHEN next.created_at < $1 THEN high ELSE low + (high - low) / 2 END
                FROM half LEFT JOIN LATERAL (SELECT number, created_at FROM provisioning
                    WHERE number >= low + (high - low) / 2 ORDER BY number LIMIT 1) next ON true
                WHERE low < high
            )
            SELECT max(low) FROM half
            """, .integer(moment.milliseconds)
        ) { $0.integer(0) }
    }

    /// What waits, and what was given up. Only what is pending, dead or due is looked at, through the indexes of it.
    func backlog() async throws -> StoreBacklog {
        let pending = askForCount(of: .pending)
        let dead = askForCount(of: .dead)
        let due = sql.ask(
            """
            SELECT min(due) FROM (SELECT (SELECT min(due_at) FROM delivery
                WHERE delivery.destination = destination.number AND due_at IS NOT NULL) AS due FROM destination) first
            """
        ) { $0.optionalInteger(0).map { Timestamp(milliseconds: $0) } }
        let disabled = sql.ask("SELECT count(*) FROM destination WHERE status <> 'enabled'") { Int($0.integer(0)) }
        let inbound = sql.ask(
            "SELECT count(*) FROM (SELECT 1 FROM inbound WHERE due_at IS NOT NULL LIMIT $1) waiting",
            .integer(Int64(StoreBacklog.limit))
        ) { Int($0.integer(0)) }
        try await sql.send()
        return StoreBacklog(
            eventsPending: pending.first ?? 0, eventsDueAt: due.first ?? nil, deadLetters: dead.first ?? 0,
            disabledDestinations: disabled.first ?? 0, inboundPending: inbound.first ?? 0)
    }

    private func askForCount(of status: StoredDelivery.Status) -> Answer<Int> {
        sql.ask(
            """
            SELECT count(*) FROM (SELECT 1 FROM delivery
                WHERE status = $1 AND status <> 'delivered' LIMIT $2) counted
            """, .text(status.rawValue), .integer(Int64(StoreBacklog.limit))
        ) { Int($0.integer(0)) }
    }
}
