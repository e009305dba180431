import Gateway
import ProviderKit
import Storage

extension Configuration {
    /// Where cards are that the configuration would have elsewhere: its `connection` is for new cards, and the store wins.
    /// Nothing where there is no store yet, or none that can be read.
    func drift() async -> [ConfigurationProblem] {
        let counts: [ActiveBindingCount]?
        switch store {
        case .sqlite(let path): counts = try? SQLiteFile(path: path).activeBindings()
        case .postgreSQL(let url): counts = try? await PostgreSQLPlace(url: url).activeBindings()
        }
        return await migrationDrift() + drift(from: counts ?? [])
    }

    /// Migrations in force whose sides the configuration does not have. Nothing where none can be read.
    func migrationDrift() async -> [ConfigurationProblem] {
        let migrations: [StoredMigration]?
        switch store {
        case .sqlite(let path): migrations = try? SQLiteFile(path: path).migrationsInForce()
        case .postgreSQL(let url): migrations = try? await PostgreSQLPlace(url: url).migrationsInForce()
        }
        return (migrations ?? []).flatMap(drift(from:))
    }

    /// What of a migration in force is not here.
    func drift(from migration: StoredMigration) -> [ConfigurationProblem] {
        let name = "the migration \(migration.id) (\(migration.status.rawValue))"
        guard let program = programs[migration.program] else {
            return [
                ConfigurationProblem(
                    .warning, at: "programs", "\(name) is about `\(migration.program)`, which is not here")
            ]
        }
        return [("from", migration.from), ("to", migration.to)].compactMap { side, connection in
            if connections[connection] == nil {
                return ConfigurationProblem(
                    .warning, at: "connections",
                    "\(name) of `\(program.name)` names `\(connection)` as its `\(side)`, which is not here: attempts "
                        + "that are routed there are refused with binding_missing. Put it back, or roll the migration back"
                )
            }
            if program.connections.contains(connection) { return nil }
            return ConfigurationProblem(
                .warning, at: "programs.\(program.name).connections",
                "\(name) names `\(connection)` as its `\(side)`, which the program does not have: attempts are still "
                    + "routed there, and nobody can be bound there")
        }
    }

    /// The same, of counts that were read.
    func drift(from counts: [ActiveBindingCount]) -> [ConfigurationProblem] {
        counts.compactMap { count in
            let cards = count.cards == 1 ? "1 card" : "\(count.cards) cards"
            guard let program = programs[count.program] else {
                return ConfigurationProblem(
                    .warning, at: "programs", "the store has \(cards) of `\(count.program)`, which is not here")
            }
            let path = "programs.\(program.name).connection"
            if !program.connections.contains(count.connection) {
                return ConfigurationProblem(
                    .warning, at: path,
                    "the store has \(cards) at `\(count.connection)`, which the program does not have: "
                        + "nothing serves them")
            }
            if count.connection == program.connection { return nil }
            return ConfigurationProblem(
                .warning, at: path,
                "the store has \(cards) at `\(count.connection)`, served there: this is for new cards only")
        }
    }
}
