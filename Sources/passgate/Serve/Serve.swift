import ConfigurationFile
import Crypto
import EventLoop
import Facade
import Gateway
import ProviderKit
import SecretMemory
import Synchronization

extension Command {
    /// `passgate serve`
    static let serve = Command(
        name: "serve", summary: "run the gateway",
        explanation: """
            Reads the configuration, opens the store and serves until it is told to end. One line says where it listens.

            SIGHUP reads the configuration again; one with a problem leaves the old one in force, and every problem is
            logged. SIGTERM or Ctrl-C finishes what is under way and ends with 0; a second one ends at once with 130.
            Without an API key in the configuration or the store it starts on a terminal only, and prints a key there,
            once. Keys that passgate keys create makes count at once; one that is revoked counts for two seconds at
            most.
            """, options: [.config, .json, .help]
    ) { arguments, console in
        await ServeCommand(arguments: arguments, console: console).run()
    }
}

/// Runs the gateway until it is told to end.
struct ServeCommand {
    let arguments: Arguments
    let console: Console
    private let clock = SystemClock()

    private var path: String { arguments.configuration }
    private var isJSON: Bool { arguments.has(.json) || !console.isTerminal }

    init(arguments: Arguments, console: Console) {
        self.arguments = arguments
        self.console = console
    }

    /// Serves, and says how it ended.
    func run() async -> ExitCode {
        ProcessHardening.keepFilesPrivate()
        let isHardened = ProcessHardening.forbidDumps()
        OpenFileLimit.raise()
        let source = ConfigurationSource(path: path) { SecretText(environmentVariable: $0) }
        let workers = Workers(count: ConfigurationReader.workers(in: source) ?? Processors.available)
        defer { workers.stop() }
        let (configuration, problems) = await read(source, workers) { await $0.storedKeys()?.isEmpty ?? false }
        guard let configuration else { return console.refuse(problems, of: arguments) }
        let log = ServeLog(.output, isJSON: isJSON, clock: clock)
        defer { log.close() }
        for problem in problems + (await drift(of: configuration)) { log.problem(problem, in: path) }
        if !isHardened {
            log.event("memory_unprotected", level: .warning, [("message", .text("dumps cannot be turned off"))])
        }
        let mustGenerate =
            configuration.apiKeys.isEmpty ? await configuration.storedKeys()?.isEmpty ?? false : false
        let generated = mustGenerate ? GeneratedKey(OpenSSLCryptography()) : nil
        let host: GatewayHost
        do throws(Unavailable) {
            host = try await GatewayHost(configuration, generatedKey: generated?.key, workers: workers, log: log)
        } catch {
            console.error("passgate serve: \(error.description)")
            return .unavailable
        }
        if let generated {
            console.output("API key for this run, shown once: \(generated.text.reveal())")
        }
        log.event(
            "listening",
            [
                ("url", .text(host.url)), ("admin_url", .text(host.adminURL)), ("version", .text(Version.current)),
            ])
        await serve(host, workers, log)
        return .success
    }

    /// Obeys the signals until one says to end.
    private func serve(_ host: GatewayHost, _ workers: Workers, _ log: ServeLog) async {
        let control = EventLoop(name: "passgate-control")
        control.start()
        let signals = await watch(on: control)
        let asking = workers.group.loops[0]
        let upkeep = control.run { await host.keepUp(askingOn: asking) }
        for await signal in signals {
            if signal == .terminate { break }
            await reload(host, workers, log)
        }
        host.turnAway()
        log.event("draining")
        await host.serveOn(timedBy: control)
        upkeep.cancel()
        await host.end(after: upkeep)
        log.event("ended")
        control.stop()
    }

    /// The signals as they come. The second that says to end ends the process there and then.
    private func watch(on control: EventLoop) async -> AsyncStream<SignalWatch.Signal> {
        let (signals, continuation) = AsyncStream.makeStream(of: SignalWatch.Signal.self)
        let isEnding = Mutex(false)
        await control.run {
            SignalWatch.watch(on: control) { signal in
                if signal == .terminate {
                    let isSecond = isEnding.withLock { ending in
                        defer { ending = true }
                        return ending
                    }
                    if isSecond { ProcessEnd.abandon(ExitCode.interrupted.rawValue) }
                }
                continuation.yield(signal)
            }
        }.value
        return signals
    }

    private func reload(_ host: GatewayHost, _ workers: Workers, _ log: ServeLog) async {
        let source = ConfigurationSource(path: path) { SecretText(environmentVariable: $0) }
        let (configuration, problems) = await read(source, workers) { _ in !host.hasStoredKeys }
        for problem in problems { log.problem(problem, in: path) }
        guard let configuration else {
            log.event("reload_refused", level: .error, [("message", .text("the configuration before stays in force"))])
            return
        }
        for problem in await drift(of: configuration) { log.problem(problem, in: path) }
        for key in host.replace(with: configuration) {
            log.event(
                "restart_needed", level: .warning,
                [("key_path", .text(key)), ("message", .text("takes effect at a restart"))])
        }
        log.event("reloaded")
    }

    /// What migrations in force need and the configuration does not have. It serves all the same: the other side does.
    private func drift(of configuration: Configuration) async -> [LocatedProblem] {
        await configuration.migrationDrift().map { LocatedProblem(problem: $0, line: nil) }
    }

    private func read(
        _ source: ConfigurationSource, _ workers: Workers, storeHasNoKey: (Configuration) async -> Bool
    ) async -> (Configuration?, [LocatedProblem]) {
        var (configuration, problems) = ConfigurationReader(source: source, makeKit: { workers.kit($1) }).read()
        if let read = configuration, read.apiKeys.isEmpty, !console.isTerminal, await storeHasNoKey(read) {
            let advice =
                "there is no key, here or in the store, and without a terminal there is nowhere to print a generated "
                + "one; passgate keys create makes one"
            problems.append(LocatedProblem(problem: ConfigurationProblem(.problem, at: "api_keys", advice), line: nil))
            configuration = nil
        }
        return (configuration, problems)
    }
}
