import ProviderKit
import Storage

extension Command {
    /// `passgate keys list`
    static let listKeys = Command(
        name: "keys list", summary: "list the API keys in force, never the keys themselves",
        explanation: """
            Lists the keys of the configuration and of the store with their scopes and programs. Neither place knows a
            key's text, so none is shown. With --all, keys that were revoked are listed too.

            Exit codes: 0, 64 command line, 69 the store cannot be read, 78 configuration.
            """, options: [.config, .all, .json, .help]
    ) { arguments, console in
        let command = StoreCommand(name: "keys list", arguments: arguments, console: console)
        return await command.run { session in
            do throws(StoreFailure) {
                let stored = try await session.store.apiKeys(changedSince: nil)?.keys ?? []
                let rows =
                    session.configuration.apiKeys.map(KeyRow.init)
                    + stored.filter { $0.revokedAt == nil || arguments.has(.all) }.map(KeyRow.init)
                tell(rows, arguments, console)
                return .success
            } catch {
                return command.fail(.unavailable, "the store \(error.words)")
            }
        }
    }

    private static func tell(_ rows: [KeyRow], _ arguments: Arguments, _ console: Console) {
        if arguments.has(.json) {
            var json = JSONWriter(capacity: 1024)
            json.object { json in
                json.member("keys", array: { json in for row in rows { json.object { $0.apiKeyMembers(row) } } })
            }
            return console.output(json.finishText())
        }
        if rows.isEmpty { return console.output("there is no API key; passgate keys create makes one") }
        for line in Table.lines([["name", "id", "scopes", "programs", "state"]] + rows.map(\.cells)) {
            console.output(line)
        }
    }
}

extension Command.Option {
    static let all = Command.Option(name: "--all", value: nil, summary: "list those too that were revoked")
}
