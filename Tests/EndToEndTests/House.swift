import EventLoop
import Foundation
import HTTPClient
import ImprintEmulator
import IncreaseEmulator
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// A sandbox in this process and the real `passgate` command beside it, for one test.
struct House {
    let loops: [EventLoop]
    let network: SimulatedNetwork
    let increase: IncreaseEmulator
    let server: SandboxServer
    let gateway: LaboratoryGateway
    let transport: any UpstreamTransport
    let rehearsal: Rehearsal

    var sandbox: Sandbox { server.sandbox }

    /// The commands of this build, which lie beside the test program.
    static func command(_ name: String) throws -> URL {
        let program = try #require(Bundle.main.executableURL)
        let command = program.deletingLastPathComponent().appending(path: name)
        return try #require(FileManager.default.isExecutableFile(atPath: command.path) ? command : nil)
    }

    /// Builds a house, runs the test in it, and takes it down whatever happens. Increase and Imprint are always there;
    /// `others` makes the emulators that the test needs besides.
    ///
    /// - Parameters:
    ///   - command: Starts the gateway; nil for the built command itself.
    ///   - adjust: Changes the gateway's configuration before it starts.
    static func with(
        command: URL? = nil, adjusting adjust: (inout LaboratoryConfiguration) -> Void = { _ in },
        _ others: (SimulatedNetwork) -> [any Emulator] = { _ in [] }, _ body: (House) async throws -> Void
    ) async throws {
        let group = EventLoopGroup(count: 1)
        let client = HTTPClient(loops: group.loops)
        var options = TransportOptions()
        options.allowPlainHTTPToLoopback = true
        let transport = client.transport(options)
        let network = SimulatedNetwork()
        let increase = IncreaseEmulator(json: JSONParser(), network: network)
        let emulators: [any Emulator] = [increase, ImprintEmulator(json: JSONParser(), network: network)]
        let server = try SandboxServer(
            Sandbox(emulators: emulators + others(network), json: JSONParser(), courier: transport), on: group.loops)
        let gateway = try await LaboratoryGateway.start(
            command: command ?? Self.command("passgate"), connections: server.connections, on: group.loops,
            transport: transport, json: JSONParser(), adjusting: adjust)
        let house = House(
            loops: group.loops, network: network, increase: increase, server: server, gateway: gateway,
            transport: transport, rehearsal: Rehearsal(gateway: gateway.client, cardholderID: "user_1"))
        do { try await body(house) } catch {
            await house.takeDown(client)
            throw error
        }
        await house.takeDown(client)
    }

    /// Runs the test with another process beside the house's gateway: another port, the same store, keys and processors.
    ///
    /// - Parameters:
    ///   - command: Starts it; nil for the built command itself.
    ///   - rootSecrets: Its root secrets; nil for those of the house's.
    func besideAnother(
        command: URL? = nil, underRootSecrets rootSecrets: [String]? = nil,
        _ body: (LaboratoryGateway) async throws -> Void
    ) async throws {
        let other = try await LaboratoryGateway.start(
            command: command ?? Self.command("passgate"), connections: server.connections, on: loops,
            transport: transport,
            json: JSONParser()
        ) { configuration in
            configuration.storeFolder = gateway.folder
            configuration.storeURL = gateway.configuration.storeURL
            configuration.apiKey = gateway.configuration.apiKey
            configuration.rootSecret = rootSecrets?.first.map { SecretText($0) } ?? gateway.configuration.rootSecret
            configuration.formerRootSecrets = (rootSecrets ?? []).dropFirst().map { SecretText($0) }
            configuration.additions = gateway.configuration.additions
        }
        do { try await body(other) } catch {
            await other.process.stop()
            other.removeFolder()
            throw error
        }
        await other.process.stop()
        other.removeFolder()
    }

    /// Runs the test with another gateway in the place of one that has ended, the house's own unless told otherwise: the
    /// same port, store and keys.
    func restarted(
        _ former: LaboratoryGateway? = nil, with command: URL? = nil, _ body: (ChildProcess) async throws -> Void
    ) async throws {
        let folder = (former ?? gateway).folder
        let process = try ChildProcess(
            command: command ?? Self.command("passgate"),
            arguments: ["serve", "--config", folder.appending(path: "passgate.yaml").path], in: folder)
        do {
            // The line says that it serves. `/readyz` would write to the store.
            try await wait { process.output.contains("listening") }
            try await body(process)
        } catch {
            await process.stop()
            throw error
        }
        await process.stop()
    }

    /// Kills the gateway, as a crash does.
    func kill() async {
        gateway.process.signal(SIGKILL)
        _ = await gateway.process.exit(within: .seconds(10))
    }

    private func takeDown(_ client: HTTPClient) async {
        _ = await gateway.stop()
        gateway.removeFolder()
        await server.stop()
        client.close()
    }

    /// Registers a card of the emulator under the platform's id.
    func register(_ card: String, as id: String = "sandbox_card_ok") async throws {
        let emulated = EmulatedCard(id: id, last4: "1881", network: .visa)
        let answer = try await rehearsal.register(card, as: emulated, at: "increase_demo")
        #expect(answer.status == 201, "\(answer.problemLine)")
    }

    /// How many times `push_provision` was called for the card.
    func pushes(_ id: String = "sandbox_card_ok") -> [RequestRecord] {
        sandbox.requests(to: "increase").filter { $0.request.path == "/cards/\(id)/push_provision" }
    }

    /// Waits until the condition holds, thirty seconds at most. What it is about tells nobody when it changes, so it is
    /// looked at again and again.
    func wait(until condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while try await !condition() {
            try #require(ContinuousClock.now < end, "it never came to that")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
