public import EventLoop
import JSON
public import ProviderConformance
public import ProviderKit
import Provisioning
import SecretMemory

/// Puts a provider into any situation that its emulator can be put into, over a real transport on loopback.
///
/// Each stage has an emulator and a port of its own. A situation of the processor's own comes about as the emulator's
/// `staging(of:for:)` says; the others by scripted faults, closed ports and deadlines.
public struct EmulatorHarness<Provider: ConfigurableProvider>: ProviderHarness {
    private let makeEmulator: @Sendable () -> any Emulator
    private let network: SimulatedNetwork
    private let loops: [EventLoop]
    private let transport: any UpstreamTransport
    private let cryptography: any AdapterCryptography
    private let model: any Emulator

    /// Makes a harness.
    ///
    /// - Parameters:
    ///   - loops: Where the emulators listen; started, and alive as long as the harness.
    ///   - transport: A real one, which may go to loopback without TLS.
    ///   - makeEmulator: A new emulator, with nothing in it.
    public init(
        _ provider: Provider.Type = Provider.self, network: SimulatedNetwork, on loops: [EventLoop],
        transport: any UpstreamTransport, cryptography: any AdapterCryptography,
        makeEmulator: @escaping @Sendable () -> any Emulator
    ) {
        self.makeEmulator = makeEmulator
        self.network = network
        self.loops = loops
        self.transport = transport
        self.cryptography = cryptography
        model = makeEmulator()
    }

    /// The situations that the emulator has no words for.
    public func absence(of situation: Situation, for operation: Operation) -> String? {
        guard situation.isProcessorsOwn, model.staging(of: situation, for: operation) == nil else { return nil }
        return "\(model.displayName)'s emulator has no words for it"
    }

    /// How many requests the operation takes.
    public func exchanges(for operation: Operation) -> Int { model.exchanges(for: operation) }

    /// A provider before an emulator in that situation.
    public func stage(_ situation: Situation, for operation: Operation) async throws -> Stage<Provider> {
        let emulator = makeEmulator()
        let own = situation.isProcessorsOwn ? situation : .cardExists
        guard let staging = emulator.staging(of: own, for: operation),
            let row = operation.row(of: Provider.descriptor)
        else { throw LaboratoryFailure("\(situation.rawValue) cannot be staged for \(operation)") }
        let bench = try Bench(emulator, on: loops)
        if var fault = staging.fault ?? situation.fault {
            fault.skip = max(exchanges(for: operation) - 1, 0)
            bench.server.sandbox.script(fault, for: emulator.name)
        }
        let connection = emulator.connection(at: situation.url(of: emulator, at: bench.server))
        let courier = Courier(transport, in: situation)
        let kit = AdapterKit(
            transport: courier, json: JSONParser(), cryptography: cryptography, clock: SandboxClock())
        let provider = try connection.provider(Provider.self, replacing: staging.settings, kit: kit)
        let handshakes = RealHandshake(network: network)
        let request = try handshakes.request(
            for: row, card: staging.card.binding, deadline: .now + situation.patience)
        let credentials = connection.credentials
        return Stage(
            provider: provider, request: request,
            another: {
                try handshakes.request(for: row, card: staging.card.binding, deadline: .now + situation.patience)
            }, secrets: { request.handshake.secretTexts + credentials + courier.credentials },
            upstreamTexts: { courier.sentences },
            sent: {
                withExtendedLifetime(bench) { courier.requests }
            })
    }
}

/// An emulator that listens as long as somebody holds it.
private final class Bench: Sendable {
    let server: SandboxServer

    init(_ emulator: any Emulator, on loops: [EventLoop]) throws {
        server = try SandboxServer(Sandbox(emulators: [emulator], json: JSONParser()), on: loops)
    }

    deinit {
        let server = server
        Task { await server.stop() }
    }
}

extension Situation {
    /// What the sandbox does to the operation's last request; nil where that is not how it comes about.
    fileprivate var fault: ScriptedFault? {
        var fault = ScriptedFault()
        switch spoiling {
        case .rewritten(let rewriting): fault.rewriting = rewriting
        case .halved: fault.halvesBody = true
        case .oversize: fault.fillsBodyTo = 300_000
        case .replaced(let status, let contentType, let body, let location):
            fault.afterHandling = status == nil
            fault.status = status
            fault.contentType = contentType
            fault.body = SecretBytes(utf8: body)
            if let location { fault.headers = [("location", location)] }
        case .failure(.outcomeUnknown(.broken)): fault.breaks = .reset
        case .failure(.outcomeUnknown(.garbled)): fault.breaks = .garble
        case .failure(.outcomeUnknown(.deadline)): fault.delay = .seconds(60)
        case .failure, .silence, nil: return nil
        }
        return fault
    }

    /// Where the provider believes the processor to be.
    fileprivate func url(of emulator: any Emulator, at server: SandboxServer) -> String {
        switch spoiling {
        // A port of the kernel's own, where nobody listens.
        case .failure(.notSent(.unreachable)): "http://127.0.0.1:1/\(emulator.name)"
        // No label may have more than 63 letters, so nobody has to be asked.
        case .failure(.notSent(.unresolved)): "https://\(String(repeating: "x", count: 64)).invalid/\(emulator.name)"
        // Who answers speaks no TLS.
        case .failure(.notSent(.tls)): "https://127.0.0.1:\(server.port)/\(emulator.name)"
        default: server.url(of: emulator)
        }
    }

    /// How long the caller waits.
    fileprivate var patience: Duration {
        switch spoiling {
        case .failure(.notSent(.deadline)): .seconds(-1)
        case .failure(.outcomeUnknown(.deadline)): .seconds(2)
        default: .seconds(12)
        }
    }
}
