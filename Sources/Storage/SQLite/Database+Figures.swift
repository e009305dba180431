import Provisioning
import SQLite

extension Database {
    /// What is known of a migration's course.
    func figures(_ query: SwitchFiguresQuery) throws -> SwitchFigures {
        let migration = query.migration
        return SwitchFigures(
            from: try figures(of: migration.from, query), to: try figures(of: migration.to, query),
            tokensAtFrom: try tokens.living(at: migration.from, program: migration.program),
            findings: try shadows.findings(of: migration.id),
            appCannot: try migrations.appCannot(in: migration.id, program: migration.program)
                ?? AppCannotCount(served: 0, refused: 0),
            watch: try guards.watch(of: migration))
    }

    private func figures(of side: String, _ query: SwitchFiguresQuery) throws -> SideFigures {
        let migration = query.migration.id
        return SideFigures(
            tally: try observations.tally(query.side(side)),
            leftAlone: try leftAlone.count(at: LeftAloneSide(migration: migration, connection: side)),
            codes: try provisionings.codes(of: side, in: migration),
            durations: try provisionings.durations(of: side, in: migration, atMost: query.sample))
    }
}

extension ProvisioningTable {
    /// How often attempts of a migration ended in each problem.
    fileprivate func codes(of side: String, in migration: String) throws -> [ProblemCode: Int] {
        try connection.all(
            """
            SELECT failure, timeline FROM provisioning WHERE migration = ? AND connection = ? AND failure IS NOT NULL
                AND status <> 'sending'
            """, .text(migration), .text(side)
        ) { try ProblemCode(countedOf: $0.bytes(0), timeline: $0.bytes(1)) }
        .compactMap(\.self).counted
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
