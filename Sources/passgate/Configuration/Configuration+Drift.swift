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
        return drift(from: counts ?? [])
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
