import ConfigurationFile
import Facade
import ProviderKit
import Storage

extension Configuration {
    /// The keys in force of the store. Nothing where there is no store yet, or none that this version can read; nil where
    /// it cannot be reached. It waits for the disk, or a little for the network, and changes nothing.
    func storedKeys() async -> [StoredAPIKey]? {
        switch store {
        case .sqlite(let path): (try? SQLiteFile(path: path).apiKeysInForce()) ?? []
        case .postgreSQL(let url): try? await PostgreSQLPlace(url: url).apiKeysInForce()
        }
    }

    /// What a check says of the keys: that there is none, or that two share a name. Nothing of a store that cannot be reached.
    func advice(on stored: [StoredAPIKey]?) -> [LocatedProblem] {
        guard let stored else { return [] }
        if apiKeys.isEmpty, stored.isEmpty {
            let advice =
                "there is no key, here or in the store: serve starts on a terminal only, where it prints one; "
                + "passgate keys create makes one"
            return [LocatedProblem(problem: ConfigurationProblem(.warning, at: "api_keys", advice), line: nil)]
        }
        let names = Set(stored.map(\.name))
        return apiKeys.filter { names.contains($0.name) }.map { key in
            LocatedProblem(
                problem: ConfigurationProblem(
                    .warning, at: "api_keys",
                    "`\(key.name)` is also the name of a key in the store: both count, and no trail tells them apart"),
                line: nil)
        }
    }
}
