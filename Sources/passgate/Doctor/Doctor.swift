import ConfigurationFile
import EventLoop
import Gateway
import ProviderKit
import SecretMemory
import Storage
import Synchronization

extension Command {
    /// `passgate doctor`
    static let doctor = Command(
        name: "doctor", summary: "look at everything that serve needs, and ask every processor",
        explanation: """
            Says all that check says, and then reaches out, to all connections side by side, for 10 seconds at most
            each: whether the processor takes the credentials, by a question that changes nothing and is about no card
            of anybody's; how far this machine's clock is from the processor's (5 s are a warning, 60 s a problem); what
            is wrong with the way there, where something is: the name, the port, the certificate, and why it is not
            trusted. It looks at the keys that are signed with, at how long certificates are good for (30 days are a
            warning), at the forms of webhooks' secrets, at the store, the room on its disk, and the ports. It changes
            nothing, and shows no secret. What cannot be asked is said.

            Exit codes: 0 all is well, or there are warnings alone; 64 command line; 69 something cannot be reached,
            refuses, or is not as it must be; 78 the configuration has a problem.
            """, options: [.config, .json, .help]
    ) { arguments, console in
        await DoctorCommand(arguments: arguments, console: console).run()
    }
}

/// Looks at everything that `serve` needs.
struct DoctorCommand: Sendable {
    let arguments: Arguments
    let console: Console

    /// Looks, and says what was found.
    func run() async -> ExitCode {
        let source = ConfigurationSource(path: arguments.configuration) { SecretText(environmentVariable: $0) }
        let workers = Workers(count: 1)
        defer { workers.stop() }
        let disk = EventLoop(name: "passgate-disk")
        disk.start()
        defer { disk.stop() }
        SignalWatch.endAtOnce(on: workers.group.loops[0])
        let watches = Mutex<[String: ConnectionWatch]>([:])
        let reader = ConfigurationReader(source: source) { name, options in
            let watch = ConnectionWatch(options)
            watches.withLock { $0[name] = watch }
            return watch.kit(workers.client)
        }
        let (configuration, problems) = reader.read()
        var report = DoctorReport(path: arguments.configuration)
        report.add(problems)
        guard let configuration else { return tell(report) }
        report.findings += WebhookSecretForms(source: source).findings()
        let place = PlaceExamination(configuration: configuration)
        let (advice, store) = await disk.run {
            let keys = configuration.advice(on: await configuration.storedKeys())
            let drift = await configuration.drift().map { LocatedProblem(problem: $0, line: nil) }
            return (keys + drift, await place.store())
        }.value
        report.add(advice)
        if problems.isEmpty, advice.isEmpty { report.addSoundConfiguration() }
        report.findings += store
        report.findings += await place.ports()
        report.findings += await examine(configuration, watches.withLock { $0 }, on: workers.group.loops[0])
        return tell(report)
    }

    /// Looks at all connections side by side.
    private func examine(
        _ configuration: Configuration, _ watches: [String: ConnectionWatch], on loop: EventLoop
    ) async -> [Finding] {
        let connections = configuration.connections.values.sorted { $0.name < $1.name }
        return await withTaskGroup(of: (Int, [Finding]).self) { group in
            for (index, connection) in connections.enumerated() {
                guard let watch = watches[connection.name] else { continue }
                let examination = ConnectionExamination(connection: connection, watch: watch)
                group.addTask { (index, await loop.run { await examination.findings() }.value) }
            }
            var found: [(Int, [Finding])] = []
            for await part in group { found.append(part) }
            return found.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }

    private func tell(_ report: DoctorReport) -> ExitCode {
        if arguments.has(.json) {
            console.output(report.json)
        } else {
            for line in report.lines { console.output(line) }
            console.output(report.summary)
        }
        return report.exitCode
    }
}
