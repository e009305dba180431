import Facade
import ProviderKit
import Storage

extension Command {
    /// `passgate keys revoke`
    static let revokeKey = Command(
        name: "keys revoke", summary: "end an API key of the store",
        explanation: """
            Ends the key that has the name or the id. Every gateway that runs on the store refuses it within two
            seconds; requests that began before are served to their end. A key of the configuration ends when it is
            taken out there.

            Exit codes: 0 revoked, 1 no key in force in the store has that name or id, 64 command line, 69 the store
            cannot be written, 78 configuration.
            """, operands: ["KEY"], options: [.config, .json, .help]
    ) { arguments, console in
        let command = StoreCommand(name: "keys revoke", arguments: arguments, console: console)
        let wanted = arguments.operands[0]
        return await command.run { session in
            do throws(StoreFailure) {
                let actor = AuditActor(name: "passgate keys revoke")
                let revoked = try await session.store.revokeAPIKey(wanted, at: session.now, audit: actor)
                guard let revoked else {
                    let isConfigured = session.configuration.apiKeys.contains { $0.name == wanted }
                    return command.fail(
                        .findings,
                        isConfigured
                            ? "\(wanted) is a key of \(arguments.configuration): take it out there"
                            : "no key in force is called \(wanted); passgate keys list shows which there are")
                }
                if arguments.has(.json) {
                    var json = JSONWriter(capacity: 512)
                    json.object { $0.apiKeyMembers(KeyRow(revoked)) }
                    console.output(json.finishText())
                } else {
                    console.output("\(revoked.name) (\(revoked.id)) is revoked")
                }
                return .success
            } catch {
                return command.fail(.unavailable, "the store \(error.words)")
            }
        }
    }
}
