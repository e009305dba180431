public import EventLoop
public import Foundation
public import ProviderKit

/// A real gateway beside the sandbox: a folder of its own, a configuration, a process, and a client.
public struct LaboratoryGateway: Sendable {
    /// The configuration that it was started with.
    public let configuration: LaboratoryConfiguration
    /// Its folder: configuration, store, output.
    public let folder: URL
    /// Its process.
    public let process: ChildProcess
    /// Calls it with its key.
    public let client: GatewayClient

    /// Starts a gateway and waits until it is ready.
    ///
    /// - Throws: ``LaboratoryFailure``, with what the gateway wrote where it did not come up.
    public static func start(
        command: URL, configuration: LaboratoryConfiguration, transport: any UpstreamTransport,
        json: any JSONParsing, within limit: Duration = .seconds(20)
    ) async throws -> LaboratoryGateway {
        let folder = try makeFolder()
        do {
            let file = try configuration.write(to: folder)
            let process = try ChildProcess(
                command: command, arguments: ["serve", "--config", file.path], in: folder)
            let client = GatewayClient(
                baseURL: configuration.url, key: configuration.apiKey, transport: transport, json: json)
            let gateway = LaboratoryGateway(
                configuration: configuration, folder: folder, process: process, client: client)
            do { try await gateway.waitUntilReady(within: limit) } catch {
                await process.stop()
                throw error
            }
            return gateway
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// Starts a gateway with these connections on free ports. A port that somebody else took meanwhile is given up for
    /// another.
    ///
    /// - Throws: ``LaboratoryFailure``, with what the gateway wrote where it did not come up.
    public static func start(
        command: URL, connections: [(name: String, connection: EmulatedConnection)], on loops: [EventLoop],
        transport: any UpstreamTransport, json: any JSONParsing,
        adjusting adjust: (inout LaboratoryConfiguration) -> Void = { _ in }
    ) async throws -> LaboratoryGateway {
        var triesLeft = 3
        while true {
            let ports = try await SandboxServer.freePorts(2, on: loops)
            var configuration = LaboratoryConfiguration(port: ports[0], adminPort: ports[1], connections: connections)
            adjust(&configuration)
            triesLeft -= 1
            do {
                return try await start(
                    command: command, configuration: configuration, transport: transport, json: json)
            } catch let failure as LaboratoryFailure where triesLeft > 0 && failure.description.contains("in use") {
                continue
            }
        }
    }

    /// A new folder that only its owner can enter.
    public static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "passgate-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    /// The `passgate` command beside an executable of the same build.
    ///
    /// - Throws: ``LaboratoryFailure`` where there is none.
    public static func command(beside executable: URL) throws -> URL {
        let command = executable.deletingLastPathComponent().appending(path: "passgate")
        guard FileManager.default.isExecutableFile(atPath: command.path) else {
            throw LaboratoryFailure("there is no passgate command beside \(executable.path); build it first")
        }
        return command
    }

    /// Asks `/readyz` until it says yes.
    private func waitUntilReady(within limit: Duration) async throws {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            guard process.isRunning else { throw failure("the gateway has ended while starting") }
            if let answer = try? await client.send(.get, "/readyz", within: .seconds(2)), answer.status == 200 {
                return
            }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw failure("the gateway did not become ready within \(limit)")
    }

    private func failure(_ sentence: String) -> LaboratoryFailure {
        let written = String(decoding: process.written.suffix(2000), as: UTF8.self)
        return LaboratoryFailure(written.isEmpty ? sentence : "\(sentence); it wrote:\n\(written)")
    }

    /// Sends SIGTERM and waits for the end.
    ///
    /// - Returns: The exit status, or nil where it had to be killed.
    public func stop() async -> Int32? {
        process.drain()
        let status = await process.exit(within: .seconds(20))
        if status == nil { await process.stop() }
        return status
    }

    /// Removes its folder with everything in it.
    public func removeFolder() { try? FileManager.default.removeItem(at: folder) }
}
