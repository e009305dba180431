import Provisioning
import SQLite

extension Database {
    /// Adds up how a program's attempts went.
    func overview(_ query: OverviewQuery) throws -> AttemptOverview { try provisionings.overview(query) }
}

extension ProvisioningTable {
    /// Adds up how a program's attempts went: through the index of the program, from the window's first attempt on, and
    /// a bounded number of them.
    fileprivate func overview(_ query: OverviewQuery) throws -> AttemptOverview {
        let first = try firstNumber(from: query.from)
        let furthest = try connection.first(
            "SELECT number FROM provisioning WHERE program = ? ORDER BY number DESC LIMIT 1 OFFSET ?",
            .text(query.program), .integer(Int64(OverviewQuery.attemptLimit - 1))
        ) { $0.integer(0) }
        let start = max(first, furthest ?? 0)
        let failures = try failures(of: query.program, from: start)
        return AttemptOverview(
            funnels: try funnels(of: query.program, from: start), failures: failures.sums,
            isWhole: start == first && failures.isWhole)
    }

    private func funnels(of program: String, from start: Int64) throws -> [AttemptOverview.Funnel] {
        try connection.all(
            """
            SELECT provider, connection, wallet, count(*),
                sum(delivered_at IS NOT NULL
                    OR status IN ('handed_off', 'added', 'requested', 'verification_required', 'active')),
                sum(token_seen_at IS NOT NULL
                    OR status IN ('added', 'requested', 'verification_required', 'active')),
                sum(status = 'active'), sum(status = 'unknown'), sum(status = 'refused')
            FROM provisioning WHERE program = ? AND number >= ?
            GROUP BY provider, connection, wallet ORDER BY connection, wallet
            """, .text(program), .integer(start)
        ) { row in
            AttemptOverview.Funnel(
                provider: row.text(0), connection: row.text(1), wallet: try Wallet(stored: row.text(2)),
                attempted: Int(row.integer(3)), handedOff: Int(row.integer(4)), tokens: Int(row.integer(5)),
                active: Int(row.integer(6)), unknown: Int(row.integer(7)), failed: Int(row.integer(8)))
        }
    }

    private func failures(of program: String, from start: Int64) throws -> (
        sums: [AttemptOverview.Failures], isWhole: Bool
    ) {
        let newest = try connection.all(
            """
            SELECT failure, provider, connection, id, created_at FROM provisioning
            WHERE program = ? AND number >= ? AND failure IS NOT NULL ORDER BY number DESC LIMIT ?
            """, .text(program), .integer(start), .integer(Int64(OverviewQuery.failureLimit + 1))
        ) { row in
            AttemptOverview.Failures(
                code: try StoredFailure(packed: row.bytes(0)).code, provider: row.text(1), connection: row.text(2),
                count: 1, latest: row.text(3), latestAt: Timestamp(milliseconds: row.integer(4)))
        }
        return (AttemptOverview.Failures.summed(newest), newest.count <= OverviewQuery.failureLimit)
    }

    /// The first attempt, of any program, that began at a moment or later. Numbers grow with time, so it is found by
    /// halving; clocks of several processes that differ make it differ by as much.
    private func firstNumber(from moment: Timestamp) throws -> Int64 {
        var low: Int64 = 0
        var high = (try connection.first("SELECT ifnull(max(number), 0) FROM provisioning") { $0.integer(0) } ?? 0) + 1
        while low < high {
            let middle = low + (high - low) / 2
            let next = try connection.first(
                "SELECT number, created_at FROM provisioning WHERE number >= ? ORDER BY number LIMIT 1",
                .integer(middle)
            ) { (number: $0.integer(0), at: $0.integer(1)) }
            if let next, next.at < moment.milliseconds { low = next.number + 1 } else { high = middle }
        }
        return low
    }
}
