import Provisioning
import SQLite

extension Database {
    /// What is known of a migration's course.
    func figures(_ query: SwitchFiguresQuery) throws -> SwitchFigures {
        let migration = query.migration
        return SwitchFigures(
            from: try figures(of: migration.from, in: migration, sample: query.sample),
            to: try figures(of: migration.to, in: migration, sample: query.sample),
            tokensAtFrom: try tokens.living(at: migration.from, program: migration.program),
            findings: try shadows.findings(of: migration.id),
            appCannot: try migrations.appCannot(in: migration.id, program: migration.program)
                ?? AppCannotCount(served: 0, refused: 0),
            watch: try guards.watch(of: migration))
    }

    private func figures(of side: String, in migration: StoredMigration, sample: Int) throws -> SideFigures {
        let tally = try observations.tally(
            SideQuery(
                program: migration.program, connection: side, migration: migration.id, from: migration.createdAt))
        return SideFigures(
            tally: tally, codes: try provisionings.codes(of: side, in: migration.id),
            durations: try provisionings.durations(of: side, in: migration.id, atMost: sample))
    }
}

extension ProvisioningTable {
    /// How often attempts of a migration ended in each problem.
    fileprivate func codes(of side: String, in migration: String) throws -> [ProblemCode: Int] {
        try connection.all(
            """
            SELECT failure FROM provisioning WHERE migration = ? AND connection = ? AND failure IS NOT NULL
                AND status <> 'sending'
            """, .text(migration), .text(side)
        ) { try StoredFailure(packed: $0.bytes(0)).code }
        .reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// How long the newest attempts of a migration took.
    fileprivate func durations(of side: String, in migration: String, atMost limit: Int) throws -> [AttemptDuration] {
        try connection.all(
            """
            SELECT timeline FROM provisioning WHERE migration = ? AND connection = ? AND status <> 'sending'
            ORDER BY number DESC LIMIT ?
            """, .text(migration), .text(side), .integer(Int64(limit))
        ) { AttemptDuration(try [TimelineStep](packed: $0.bytes(0))) }
        .compactMap { $0 }
    }
}

extension TokenTable {
    /// How many tokens of a program's cards live at a connection.
    fileprivate func living(at connectionName: String, program: String) throws -> Int {
        try connection.first(
            """
            SELECT count(*) FROM token JOIN card ON card.number = token.card
            WHERE token.connection = ? AND token.status IN ('requested', 'verification_required', 'active', 'suspended')
                AND card.program = ?
            """, .text(connectionName), .text(program)
        ) { Int($0.integer(0)) } ?? 0
    }
}
