import ConfigurationFile
import Crypto
import EventLoop
import Facade
import Foundation
import Gateway
import HTTPClient
import HTTPServer
import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Storage

@testable import passgate

/// The gateway in this process: its own configuration, store, listener and way upstream, over real sockets. Nothing runs
/// by itself: no sweep, and no follow-up.
final class InProcessGateway: Sendable {
    /// Where the gateway runs: one loop, so that a kept connection is found again.
    private let workers = EventLoopGroup(count: 1)
    private let callers = EventLoopGroup(count: 1)
    private let upstream: HTTPClient
    private let caller: HTTPClient
    private let folder: URL
    private let store: SQLiteStore
    private let server: HTTPServer
    /// The use cases.
    let gateway: Gateway
    /// Calls it with its key.
    let client: GatewayClient

    /// The configuration has a problem.
    struct Unusable: Error {
        let problems: [LocatedProblem]
    }

    /// Makes a gateway with these connections, and runs the test with it.
    static func with<Result>(
        _ connections: [(name: String, connection: EmulatedConnection)],
        clock: any WallClock = SandboxClock(),
        adjusting adjust: (inout LaboratoryConfiguration) -> Void = { _ in },
        _ body: (InProcessGateway) async throws -> Result
    ) async throws -> Result {
        // The port is never used: the listener takes a free one.
        var laboratory = LaboratoryConfiguration(port: 1, adminPort: 2, connections: connections)
        adjust(&laboratory)
        let house = try InProcessGateway(laboratory, clock: clock)
        do {
            let result = try await body(house)
            await house.close()
            return result
        } catch {
            await house.close()
            throw error
        }
    }

    private init(_ laboratory: LaboratoryConfiguration, clock: any WallClock) throws {
        folder = try LaboratoryGateway.makeFolder()
        upstream = HTTPClient(loops: workers.loops)
        caller = HTTPClient(loops: callers.loops)
        let file = try laboratory.write(to: folder)
        let reader = ConfigurationReader(
            source: ConfigurationSource(path: file.path) { _ in nil },
            makeKit: { [upstream] in .around(upstream.transport($1)) })
        let (configuration, problems) = reader.read()
        guard let configuration else { throw Unusable(problems: problems) }
        let keys = try KeyRing(configuration.rootSecrets)
        let cryptography = OpenSSLCryptography()
        store = try SQLiteStore(
            path: folder.appending(path: "passgate.db").path,
            audit: AuditChain(keys), now: { clock.now })
        gateway = Gateway(
            directory: configuration.directory(publicURL: laboratory.url, client: upstream), store: store, keys: keys,
            clock: clock,
            random: { cryptography.random($0) }, instance: "test", report: { _ in })
        let facade = Facade(
            gateway: gateway, keys: configuration.apiKeys, cryptography: cryptography, json: JSONParser(),
            clock: clock, log: { _ in })
        server = HTTPServer(configuration: HTTPServerConfiguration(), loops: workers.loops, handler: facade)
        try server.start()
        var options = TransportOptions()
        options.allowPlainHTTPToLoopback = true
        client = GatewayClient(
            baseURL: "http://127.0.0.1:\(server.port)", key: laboratory.apiKey,
            transport: caller.transport(options), json: JSONParser())
    }

    private func close() async {
        await server.stop()
        await gateway.finishDeliveries()
        await store.close()
        upstream.close()
        caller.close()
        workers.stop()
        callers.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
