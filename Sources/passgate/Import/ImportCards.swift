import ConfigurationFile
import Crypto
import EventLoop
import Facade
import Gateway
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Synchronization

extension Command {
    /// `passgate cards import`
    static let importCards = Command(
        name: "cards import", summary: "store cards from a file, one a line",
        explanation: """
            Reads FILE, or the standard input where it is -, and stores each line's card as PUT /v1/cards/{card} does: the
            same JSON object with the card's "id". It writes to the configured store, whether serve runs beside it or not.
            Lines that are no cards are listed, the first thousand of them; the others are stored all the same. To run it
            again with the same file is safe. The import is one entry of the audit trail.

            Exit codes: 0 every line is stored, 1 some are not, 64 command line, 66 FILE cannot be read, 69 the store
            cannot be written, 78 configuration.
            """, operands: ["FILE"], options: [.config, .program, .json, .help]
    ) { arguments, console in
        await ImportCardsCommand(arguments: arguments, console: console).run()
    }
}

/// Imports cards from a file into the store.
struct ImportCardsCommand {
    private static let pieceBytes = 65_536

    let arguments: Arguments
    let console: Console
    private let clock = SystemClock()

    init(arguments: Arguments, console: Console) {
        self.arguments = arguments
        self.console = console
    }

    private var path: String { arguments.operands[0] }

    /// Imports, and says what became of the lines.
    func run() async -> ExitCode {
        ProcessHardening.keepFilesPrivate()
        let source = ConfigurationSource(path: arguments.configuration) { SecretText(environmentVariable: $0) }
        let workers = Workers(count: 1)
        defer { workers.stop() }
        let (configuration, problems) = ConfigurationReader(source: source, makeKit: { workers.kit($1) }).read()
        guard let configuration else { return console.refuse(problems, of: arguments) }
        guard let program = program(of: configuration) else { return .usage }
        let file: InputFile
        do throws(InputFile.Failure) { file = try InputFile(path: path) } catch {
            return fail(.noInput, error == .missing ? "there is no file \(path)" : "\(path) cannot be read")
        }
        SignalWatch.endAtOnce(on: workers.group.loops[0])
        do throws(Unavailable) {
            let keys = try configuration.keyRing()
            let store = try await configuration.openStore(keys)
            let gateway = gateway(configuration, store, keys, workers)
            let limit = configuration.limits.bodyBytes
            let code = await workers.group.loops[0].run { [self] in
                await self.run(file, into: program, gateway, lineLimit: limit)
            }.value
            await store.close()
            return code
        } catch {
            return fail(.unavailable, error.description)
        }
    }

    private func program(of configuration: Configuration) -> String? {
        let names = configuration.programs.keys.sorted()
        if let name = arguments.value(of: .program) {
            if names.contains(name) { return name }
            _ = fail(.usage, "--program: the configuration has no program \(name)")
        } else if names.count == 1 {
            return names[0]
        } else {
            _ = fail(.usage, "--program is needed: one of \(names.joined(separator: ", "))")
        }
        return nil
    }

    private func gateway(
        _ configuration: Configuration, _ store: any Store, _ keys: KeyRing, _ workers: Workers
    ) -> Gateway {
        let cryptography = OpenSSLCryptography()
        return Gateway(
            directory: configuration.directory(
                publicURL: configuration.publicURL ?? "", client: workers.client), store: store, keys: keys,
            clock: StoreClock(base: clock) { store.clockOffset }, random: { cryptography.random($0) },
            instance: "import",
            report: { _ in })
    }

    private func run(_ file: InputFile, into program: String, _ gateway: Gateway, lineLimit: Int) async -> ExitCode {
        // A thread of its own, which waits for the disk.
        let reader = EventLoop(name: "passgate-read")
        reader.start()
        defer { reader.stop() }
        let meter = ImportMeter(console, size: file.size)
        let isCut = Mutex(false)
        let json = JSONParser()
        let order = CardImportOrder(
            program: program, actor: AuditActor(name: "passgate cards import"), lineLimit: lineLimit,
            read: { [clock] line throws(Problem) in
                try CardLine.read(line, program: program, with: json, at: clock.now)
            }, progress: { meter.show($0) })
        do throws(Problem) {
            let report = try await gateway.importCards(order) { () async throws(Problem) in
                let piece = await reader.run { () -> [UInt8]? in try? file.read(atMost: Self.pieceBytes) }.value
                guard var piece else {
                    isCut.withLock { $0 = true }
                    throw Problem(.invalidRequest)
                }
                meter.read(piece.count)
                return piece.isEmpty ? nil : SecretBytes(taking: &piece)
            }
            meter.end()
            return tell(report)
        } catch {
            meter.end()
            let why =
                isCut.withLock { $0 }
                ? "\(path) cannot be read to its end" : error.detail ?? error.code.entry.meaning
            return fail(isCut.withLock { $0 } ? .noInput : .unavailable, "\(why); what was stored stays")
        }
    }

    private func tell(_ report: CardImportReport) -> ExitCode {
        if arguments.has(.json) {
            var json = JSONWriter(capacity: 4096)
            json.cardImport(report)
            console.output(json.finishText())
        } else {
            for fault in report.faults {
                console.error("\(path):\(fault.line): \(fault.code.rawValue): \(fault.detail)")
            }
            if report.failed > report.faults.count {
                console.error("\(path): and \(report.failed - report.faults.count) more")
            }
            console.output("\(report.imported) imported, \(report.updated) updated, \(report.failed) failed")
        }
        return report.failed == 0 ? .success : .findings
    }

    private func fail(_ code: ExitCode, _ why: String) -> ExitCode {
        console.error("passgate cards import: \(why)")
        return code
    }
}
