import EventLoop
import Foundation
import ProviderKit
import Sandbox
import SecretMemory

/// The laboratory command.
@main
struct Main {
    static func main() async {
        SignalWatch.block()
        let code = await run(Array(CommandLine.arguments.dropFirst()))
        ProcessEnd.exit(code.rawValue)
    }

    private static func run(_ arguments: [String]) async -> ExitCode {
        let command: LabCommand
        do { command = try LabArguments.parse(arguments) } catch {
            StandardStream.error.write("passgate-lab: \(error)\nTry passgate-lab --help.\n")
            return .usage
        }
        switch command {
        case .help:
            StandardStream.output.write(LabHelp.text + "\n")
            return .fine
        case .version:
            StandardStream.output.write("passgate-lab \(LabHelp.version)\n")
            return .fine
        case .demo(let json): return await withLaboratory { await DemoCommand(json: json).run(in: $0) }
        case .sandbox(let port, let json):
            return await withLaboratory { await SandboxCommand(port: port, json: json).run(in: $0) }
        case .conformance(let options):
            return await withLaboratory { await ConformanceCommand(options: options).run(in: $0) }
        case .bench(let options): return await withLaboratory { await BenchCommand(options: options).run(in: $0) }
        case .trigger(let options): return await withLaboratory { await TriggerCommand(options: options).run(in: $0) }
        case .listen(let options): return await withLaboratory { await ListenCommand(options: options).run(in: $0) }
        case .attempt(let options): return await withLaboratory { await TryCommand(options: options).run(in: $0) }
        }
    }

    private static func withLaboratory(_ body: (Laboratory) async -> ExitCode) async -> ExitCode {
        let group = EventLoopGroup(count: 1)
        let laboratory = Laboratory(loops: group.loops)
        let code = await body(laboratory)
        laboratory.close()
        return code
    }
}
