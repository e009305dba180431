import Crypto
import Facade
import ProviderKit
import SecretMemory
import Storage

extension Command {
    /// `passgate keys create`
    static let createKey = Command(
        name: "keys create", summary: "make an API key and keep its digest in the store",
        explanation: """
            Makes a key with 32 random bytes and writes it once: to the standard output alone, so that it can be caught
            there. The store keeps its SHA-256, and nothing else of it. A gateway that runs on the store takes it at
            once, beside the configuration's keys. Without --programs it is for all of them.

            The scopes are \(Scope.allCases.map(\.rawValue).joined(separator: " ")).

            To replace a key without a gap: create one under another name, give it to the callers, revoke the former.

            Exit codes: 0 made, 1 a key in force has that name, 64 command line, 69 the store cannot be written, 78
            configuration.
            """, options: [.config, .keyName, .scopes, .programs, .json, .help]
    ) { arguments, console in
        await CreateKeyCommand(arguments: arguments, console: console).run()
    }
}

extension Command.Option {
    static let keyName = Command.Option(
        name: "--name", value: "NAME", summary: "what the audit trail and the log call the key; needed")
    static let scopes = Command.Option(
        name: "--scopes", value: "A,B", summary: "what it allows; needed")
    static let programs = Command.Option(
        name: "--programs", value: "X,Y", summary: "the programs that it is confined to; all unless told")
}

/// Makes an API key.
struct CreateKeyCommand {
    let arguments: Arguments
    let console: Console
    private let command: StoreCommand

    init(arguments: Arguments, console: Console) {
        self.arguments = arguments
        self.console = console
        command = StoreCommand(name: "keys create", arguments: arguments, console: console)
    }

    func run() async -> ExitCode {
        guard let name = arguments.value(of: .keyName), let scopes = arguments.value(of: .scopes) else {
            return command.fail(.usage, "--name and --scopes are needed; try passgate keys create --help")
        }
        let programs = arguments.value(of: .programs)
        return await command.run { session in
            do throws(KeyGrant.Refusal) {
                let grant = try KeyGrant(
                    name: name, scopes: scopes, programs: programs, of: session.configuration)
                return await create(grant, session)
            } catch {
                return command.fail(.usage, error.message)
            }
        }
    }

    private func create(_ grant: KeyGrant, _ session: StoreCommand.Session) async -> ExitCode {
        if session.configuration.apiKeys.contains(where: { $0.name == grant.name }) {
            return command.fail(.findings, "a key of the configuration has the name \(grant.name)")
        }
        let new = NewAPIKey(OpenSSLCryptography())
        let key = StoredAPIKey(
            name: grant.name, digest: new.digest, scopes: grant.scopes.map(\.rawValue), programs: grant.programs,
            at: session.now)
        do throws(StoreFailure) {
            guard try await session.store.add(key, audit: AuditActor(name: "passgate keys create")) else {
                return command.fail(.findings, "a key in force has the name \(grant.name); passgate keys list shows it")
            }
        } catch {
            return command.fail(.unavailable, "the store \(error.words)")
        }
        if arguments.has(.json) {
            var json = JSONWriter(capacity: 512)
            json.object { json in
                json.member("key", new.text)
                json.apiKeyMembers(KeyRow(key))
            }
            console.output(json.finishText())
        } else {
            console.output(new.text.reveal())
            console.error("\(key.name) is \(key.id). Its key is shown once, here: nothing can show it again.")
        }
        return .success
    }
}
