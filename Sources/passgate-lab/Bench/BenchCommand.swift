import Catalogue
import Crypto
import EventLoop
import Foundation
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory

/// `passgate-lab bench`
struct BenchCommand {
    let options: BenchOptions

    func run(in laboratory: Laboratory) async -> ExitCode {
        let emulators = EmulatorCatalogue.emulators(json: laboratory.json, network: laboratory.network)
        guard let emulator = emulators.first(where: { $0.sdk == nil && $0.card(numbered: 0) != nil }),
            let provider = ProviderCatalogue.all.first(where: { $0.descriptor.id == emulator.provider })
        else { return fail("no emulated processor has cards enough", .unavailable) }
        say("Passgate laboratory: processors, network and devices are simulated.\n")
        do {
            let report =
                if let running = options.running {
                    try await measure(running, provider, emulator, in: laboratory)
                } else {
                    try await measure(provider, emulator.name, in: laboratory)
                }
            show(report)
            return report.isGood ? .fine : .failed
        } catch let failure as TransportFailure {
            return fail("the gateway gave no answer: \(failure.cause.rawValue)", .unavailable)
        } catch {
            return fail("\(error)", .unavailable)
        }
    }

    /// At a gateway that is there, which keeps none of the cards.
    private func measure<Provider: ConfigurableProvider>(
        _ running: BenchOptions.RunningGateway, _: Provider.Type, _ emulator: any Emulator, in laboratory: Laboratory
    ) async throws -> BenchReport {
        let client = GatewayClient(
            baseURL: running.url, key: SecretText(running.key), program: running.program,
            transport: laboratory.transport, json: laboratory.json)
        _ = try await client.send(.get, "/healthz")
        say("  gateway   \(running.url), its processor at \(running.sandbox)")
        return try await measure(
            Provider.self, emulator, at: "\(running.sandbox)/\(emulator.name)", through: client,
            connection: running.connection ?? "\(emulator.name)_sandbox", removesCards: true, in: laboratory)
    }

    /// At a gateway and a sandbox of our own, which are removed afterwards.
    private func measure<Provider: ConfigurableProvider>(
        _: Provider.Type, _ name: String, in laboratory: Laboratory
    ) async throws -> BenchReport {
        guard let executable = Bundle.main.executableURL else { throw LaboratoryFailure("this command has no file") }
        let command = try LaboratoryGateway.command(beside: executable)
        let server = try SandboxServer(laboratory.makeSandbox(), on: laboratory.loops)
        let report: BenchReport
        do {
            guard let emulator = server.sandbox.emulators.first(where: { $0.name == name }) else {
                throw LaboratoryFailure("the sandbox does not play \(name)")
            }
            let gateway = try await LaboratoryGateway.start(
                command: command, connections: server.connections, on: laboratory.loops,
                transport: laboratory.transport, json: laboratory.json)
            say("  sandbox   \(server.url)")
            say("  gateway   \(gateway.configuration.url), its store in \(gateway.folder.path)")
            do {
                report = try await measure(
                    Provider.self, emulator, at: server.url(of: emulator), through: gateway.client,
                    connection: LaboratoryConfiguration.connectionName(of: emulator), removesCards: false,
                    in: laboratory)
            } catch {
                _ = await gateway.stop()
                gateway.removeFolder()
                throw error
            }
            _ = await gateway.stop()
            gateway.removeFolder()
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        return report
    }

    private func measure<Provider: ConfigurableProvider>(
        _: Provider.Type, _ emulator: any Emulator, at url: String, through client: GatewayClient, connection: String,
        removesCards: Bool, in laboratory: Laboratory
    ) async throws -> BenchReport {
        guard let device = try laboratory.device(wallet: "apple_pay", channel: "in_app"),
            let loop = laboratory.loops.first
        else { throw LaboratoryFailure("there is no simulated device") }
        let direct = try DirectCall(
            Provider.self, to: emulator, at: url, network: laboratory.network, transport: laboratory.transport,
            json: laboratory.json, cryptography: OpenSSLCryptography())
        let bench = LatencyBench(
            direct: direct, gateway: client, connection: connection, emulator: emulator, device: device,
            removesCards: removesCards)
        say(
            "  cards     added to Apple Pay in app at \(emulator.displayName) for \(options.seconds) s, one after the other"
        )
        let run = loop.run { [options] in await bench.run(for: .seconds(options.seconds)) }
        await laboratory.onTermination { run.cancel() }
        return await run.value
    }

    private func show(_ report: BenchReport) {
        guard !options.json else {
            StandardStream.output.write((report.json.revealText() ?? "") + "\n")
            return
        }
        if !report.direct.isEmpty {
            say("\n" + report.table.joined(separator: "\n"))
            say("\n\(report.throughGateway.count) cards, \(Int(report.rate.rounded())) a second through the gateway.")
        }
        if let failure = report.failure { say("\nNot everything went as it should: \(failure)") }
    }

    private func say(_ line: String) {
        if !options.json { StandardStream.output.write(line + "\n") }
    }

    private func fail(_ sentence: String, _ code: ExitCode) -> ExitCode {
        StandardStream.error.write("passgate-lab: \(sentence)\n")
        return code
    }
}
