import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Adds an attempt that was not counted before to the observation of its card, wallet and hour, without reading the
    /// others there: success at any try is success. Of each stage the better word stands: nothing, then failure, then
    /// success. The program's events are to be locked, so that no other transaction counts at once.
    func addObservation(of attempt: String) {
        sql.run(
            """
            INSERT INTO observation (program, connection, hour, migration, card, wallet, attempts, handed_off,
                is_handed_off, is_active, is_added)
            SELECT program, connection, created_at / 3600000, coalesce(migration, ''), card, wallet, 1,
                coalesce(is_handed_off, 0), is_handed_off, is_active, is_added
            FROM provisioning WHERE id = $1
            ON CONFLICT (program, connection, hour, migration, card, wallet) DO UPDATE SET
                attempts = observation.attempts + 1, handed_off = observation.handed_off + excluded.handed_off,
                is_handed_off = greatest(observation.is_handed_off, excluded.is_handed_off),
                is_active = greatest(observation.is_active, excluded.is_active),
                is_added = greatest(observation.is_added, excluded.is_added)
            """, .text(attempt))
    }

    /// Counts anew the attempts of the card, wallet and hour that an attempt belongs to, which says something else than
    /// before. The program's events are to be locked.
    func recountObservation(of attempt: String) {
        sql.run(
            """
            INSERT INTO observation (program, connection, hour, migration, card, wallet, attempts, handed_off,
                is_handed_off, is_active, is_added)
            SELECT own.program, own.connection, own.created_at / 3600000, coalesce(own.migration, ''), own.card,
                own.wallet, count(*), count(*) FILTER (WHERE attempt.is_handed_off = 1), max(attempt.is_handed_off),
                max(attempt.is_active), max(attempt.is_added)
            FROM provisioning own JOIN provisioning attempt ON attempt.program = own.program
                AND attempt.card = own.card AND attempt.connection = own.connection AND attempt.wallet = own.wallet
                AND attempt.created_at / 3600000 = own.created_at / 3600000
                AND attempt.migration IS NOT DISTINCT FROM own.migration AND attempt.status <> 'sending'
            WHERE own.id = $1 GROUP BY own.number
            ON CONFLICT (program, connection, hour, migration, card, wallet) DO UPDATE SET
                attempts = excluded.attempts, handed_off = excluded.handed_off,
                is_handed_off = excluded.is_handed_off, is_active = excluded.is_active, is_added = excluded.is_added
            WHERE (observation.attempts, observation.handed_off, observation.is_handed_off, observation.is_active,
                observation.is_added) IS DISTINCT FROM (excluded.attempts, excluded.handed_off,
                excluded.is_handed_off, excluded.is_active, excluded.is_added)
            """, .text(attempt))
    }

    /// Adds up what was observed of a side.
    func tally(_ query: SideQuery) async throws -> SideTally {
        let tally = askForTally(query)
        try await sql.send()
        return tally.first ?? .none
    }

    private func askForTally(_ query: SideQuery) -> Answer<SideTally> {
        sql.ask(
            """
            SELECT coalesce(sum(attempts), 0)::bigint, coalesce(sum(handed_off), 0)::bigint,
                coalesce(sum(handoffs_observed), 0)::bigint, coalesce(sum(handoffs), 0)::bigint,
                coalesce(sum(activations_observed + CASE WHEN hour < $5 THEN awaited ELSE 0 END), 0)::bigint,
                coalesce(sum(activations), 0)::bigint,
                coalesce(sum(additions_observed), 0)::bigint, coalesce(sum(additions), 0)::bigint
            FROM observation_sum
            WHERE program = $1 AND connection = $2 AND hour >= $3 AND ($4::text IS NULL OR migration = $4)
            """, .text(query.program), .text(query.connection),
            .integer(ObservationTable.hour(of: query.from)), .text(orNull: query.migration),
            .integer(ObservationTable.firstAwaitedHour(at: query.at))
        ) { ObservationTable.decode($0) }
    }

    // MARK: Reports

    /// What is asked of one side of a migration.
    private struct SideAnswer {
        let tally: Answer<SideTally>
        let leftAlone: Answer<Int>
        let codes: Answer<ProblemCode?>
        let durations: Answer<AttemptDuration?>

        var figures: SideFigures {
            SideFigures(
                tally: tally.first ?? .none, leftAlone: leftAlone.first ?? 0,
                codes: codes.rows.compactMap(\.self).counted,
                durations: durations.rows.compactMap(\.self))
        }
    }

    /// What is known of a migration's course.
    func figures(_ query: SwitchFiguresQuery) async throws -> SwitchFigures {
        let migration = query.migration
        let from = ask(of: migration.from, query)
        let to = ask(of: migration.to, query)
        let tokens = sql.ask(
            """
            SELECT count(*) FROM token JOIN card ON card.number = token.card
            WHERE token.connection = $1 AND token.status IN ('requested', 'verification_required', 'active', 'suspended')
                AND card.program = $2
            """, .text(migration.from), .text(migration.program)
        ) { Int($0.integer(0)) }
        let findings = sql.ask(
            "SELECT wallet, kind, count FROM shadow_finding WHERE migration = $1", .text(migration.id)
        ) { try ShadowTable.decode($0, of: migration.id) }
        let watch = askForWatch(of: migration.id)
        let appCannot = askForAppCannot(in: migration.id, program: migration.program)
        try await sql.send()
        return SwitchFigures(
            from: from.figures, to: to.figures, tokensAtFrom: tokens.first ?? 0,
            findings: Dictionary(findings.rows) { first, _ in first },
            appCannot: appCannot.first ?? AppCannotCount(served: 0, refused: 0), watch: watch.watch(of: migration))
    }

    private func ask(of side: String, _ query: SwitchFiguresQuery) -> SideAnswer {
        let migration = query.migration
        return SideAnswer(
            tally: askForTally(query.side(side)),
            leftAlone: sql.ask(
                "SELECT count FROM left_alone WHERE migration = $1 AND connection = $2", .text(migration.id),
                .text(side)
            ) { Int($0.integer(0)) },
            codes: sql.ask(
                """
                SELECT failure, timeline FROM provisioning WHERE migration = $1 AND connection = $2
                    AND failure IS NOT NULL AND status <> 'sending'
                """, .text(migration.id), .text(side)
            ) { try ProblemCode(countedOf: $0.bytes(0), timeline: $0.bytes(1)) },
            durations: sql.ask(
                """
                SELECT timeline FROM provisioning WHERE migration = $1 AND connection = $2 AND status <> 'sending'
                ORDER BY number DESC LIMIT $3
                """, .text(migration.id), .text(side), .integer(Int64(query.sample))
            ) { AttemptDuration(try [TimelineStep](packed: $0.bytes(0))) })
    }

    // MARK: Shadows

    /// Adds to how often findings were made, in one order for all transactions.
    func add(_ findings: [ShadowFinding: Int]) {
        func place(_ finding: ShadowFinding) -> [String] {
            [finding.migration, finding.wallet.rawValue, finding.kind.rawValue]
        }
        for (finding, count) in findings.sorted(by: { place($0.key).lexicographicallyPrecedes(place($1.key)) }) {
            sql.run(
                """
                INSERT INTO shadow_finding AS known (migration, wallet, kind, count) VALUES ($1, $2, $3, $4)
                ON CONFLICT (migration, wallet, kind) DO UPDATE SET count = known.count + $4
                """, .text(finding.migration), .text(finding.wallet.rawValue), .text(finding.kind.rawValue),
                .integer(Int64(count)))
        }
    }

    // MARK: Breakers

    /// Adds to how many attempts open breakers turned away, in one order for all transactions.
    func add(_ leftAlone: [LeftAloneSide: Int]) {
        func isEarlier(_ one: LeftAloneSide, _ other: LeftAloneSide) -> Bool {
            (one.migration, one.connection) < (other.migration, other.connection)
        }
        for (side, count) in leftAlone.sorted(by: { isEarlier($0.key, $1.key) }) {
            sql.run(
                """
                INSERT INTO left_alone AS known (migration, connection, count) VALUES ($1, $2, $3)
                ON CONFLICT (migration, connection) DO UPDATE SET count = known.count + $3
                """, .text(side.migration), .text(side.connection), .integer(Int64(count)))
        }
    }
}
