import ConfigurationFile
import Crypto
import EventLoop
import ProviderKit
import Provisioning
import SecretMemory
import Storage

/// What the commands that work on the configured store have in common.
struct StoreCommand: Sendable {
    let name: String
    let arguments: Arguments
    let console: Console

    /// The store while a command works on it.
    struct Session: Sendable {
        let configuration: Configuration
        let keys: KeyRing
        let store: any GatewayStore

        /// The store's time, as well as it is known.
        var now: Timestamp { StoreClock(base: SystemClock()) { store.clockOffset }.now }
    }

    /// Reads the configuration, whose adapters send nothing; nil, with every problem told, where it cannot be used.
    func readConfiguration() -> Configuration? {
        let source = ConfigurationSource(path: arguments.configuration) { SecretText(environmentVariable: $0) }
        let (configuration, problems) = ConfigurationReader(source: source) { _, _ in .offline }.read()
        if configuration == nil { _ = console.refuse(problems, of: arguments) }
        return configuration
    }

    /// Opens the store, creating it or bringing it to this version where needed, has `body` work on it, and closes it.
    /// A signal ends the command at once.
    func run(_ body: (Session) async -> ExitCode) async -> ExitCode {
        ProcessHardening.keepFilesPrivate()
        guard let configuration = readConfiguration() else { return .configuration }
        let control = EventLoop(name: "passgate-control")
        control.start()
        defer { control.stop() }
        SignalWatch.endAtOnce(on: control)
        do throws(Unavailable) {
            let keys = try configuration.keyRing()
            let store = try await configuration.openStore(keys)
            let code = await body(Session(configuration: configuration, keys: keys, store: store))
            await store.close()
            return code
        } catch {
            return fail(.unavailable, error.description)
        }
    }

    /// Has `body` work on the store's file, on a thread that may wait for the disk. A signal ends the command at once.
    ///
    /// - Parameter otherwise: Does the same for a store in PostgreSQL, or says what does.
    func runOnFile(
        _ body: @escaping @Sendable (SQLiteFile, KeyRing) -> ExitCode,
        otherwise: (PostgreSQLPlace) async -> ExitCode
    ) async -> ExitCode {
        ProcessHardening.keepFilesPrivate()
        guard let configuration = readConfiguration() else { return .configuration }
        let control = EventLoop(name: "passgate-control")
        let disk = EventLoop(name: "passgate-disk")
        for loop in [control, disk] { loop.start() }
        defer { for loop in [control, disk] { loop.stop() } }
        SignalWatch.endAtOnce(on: control)
        do throws(Unavailable) {
            let keys = try configuration.keyRing()
            switch configuration.store {
            case .sqlite(let path): return await disk.run { body(SQLiteFile(path: path), keys) }.value
            case .postgreSQL(let url): return await otherwise(PostgreSQLPlace(url: url))
            }
        } catch {
            return fail(.unavailable, error.description)
        }
    }

    /// The same, for a command that needs no keys.
    func runOnFile(
        _ body: @escaping @Sendable (SQLiteFile) -> ExitCode, otherwise: (PostgreSQLPlace) async -> ExitCode
    ) async -> ExitCode {
        await runOnFile({ file, _ in body(file) }, otherwise: otherwise)
    }

    /// Says why the command ends with the code.
    func fail(_ code: ExitCode, _ why: String) -> ExitCode {
        console.error("passgate \(name): \(why)")
        return code
    }
}
