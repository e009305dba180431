public import EventLoop
import HTTPServer
import ProviderKit
import SecretMemory

/// A sandbox that listens on loopback.
public struct SandboxServer: Sendable {
    /// What it hosts.
    public let sandbox: Sandbox
    private let server: HTTPServer

    /// Listens on 127.0.0.1; port 0 takes a free one.
    ///
    /// - Throws: ``LaboratoryFailure`` where the port cannot be had.
    public init(_ sandbox: Sandbox, port: UInt16 = 0, on loops: [EventLoop]) throws(LaboratoryFailure) {
        self.sandbox = sandbox
        server = HTTPServer(
            configuration: HTTPServerConfiguration(host: "127.0.0.1", port: port), loops: loops, handler: sandbox)
        do { try server.start() } catch { throw LaboratoryFailure("the sandbox cannot listen: \(error)") }
    }

    /// The port it listens on.
    public var port: UInt16 { server.port }

    /// Where it listens, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Where an emulator is reached.
    public func url(of emulator: any Emulator) -> String { "\(url)/\(emulator.name)" }

    /// The connections that a gateway needs to reach every emulator.
    public var connections: [(name: String, connection: EmulatedConnection)] {
        sandbox.emulators.map { emulator in
            (LaboratoryConfiguration.connectionName(of: emulator), emulator.connection(at: url(of: emulator)))
        }
    }

    /// Stops at once. When this returns the port is free.
    public func stop() async { await server.stop() }

    /// Ports on loopback that nobody has. They are free again when this returns, so use them soon.
    ///
    /// - Throws: ``LaboratoryFailure`` where there is none.
    public static func freePorts(_ count: Int, on loops: [EventLoop]) async throws(LaboratoryFailure) -> [UInt16] {
        let nothing = Sandbox(emulators: [], json: NoJSON())
        var servers: [SandboxServer] = []
        for _ in 0..<count { servers.append(try SandboxServer(nothing, on: loops)) }
        let ports = servers.map(\.port)
        for server in servers { await server.stop() }
        return ports
    }
}

/// Reads nothing: for a sandbox that is asked nothing.
private struct NoJSON: JSONParsing {
    func parse(_ bytes: SecretBytes) throws(JSONFault) -> JSONDocument { throw .malformed }
}
