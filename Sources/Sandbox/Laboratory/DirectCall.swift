public import ProviderKit
import Provisioning
import Synchronization

/// Adds cards to Apple Pay at an emulated processor without a gateway, and says how long the processor's answer took: the
/// yardstick for what a gateway adds.
public struct DirectCall: Sendable {
    private let provider: any ProvisioningProvider
    private let row: WalletSupport
    private let handshakes: RealHandshake
    private let stopwatch: Stopwatch

    /// Calls by the processor's own adapter, whose work is not counted.
    ///
    /// - Parameters:
    ///   - emulator: Knows the connection's settings.
    ///   - baseURL: Where the emulator is served.
    ///   - network: Makes the devices.
    /// - Throws: ``LaboratoryFailure`` where the processor takes no handshake of PassKit's.
    public init<Provider: ConfigurableProvider>(
        _: Provider.Type, to emulator: any Emulator, at baseURL: String, network: SimulatedNetwork,
        transport: any UpstreamTransport, json: any JSONParsing, cryptography: any AdapterCryptography
    ) throws(LaboratoryFailure) {
        guard let row = Provider.descriptor.support(for: .applePay, on: .inApp), row.handshake == .applePay else {
            throw LaboratoryFailure("\(emulator.displayName) takes no handshake of Apple Pay's")
        }
        self.row = row
        stopwatch = Stopwatch(transport)
        handshakes = RealHandshake(network: network)
        provider = try emulator.connection(at: baseURL).provider(
            Provider.self, replacing: [],
            kit: AdapterKit(transport: stopwatch, json: json, cryptography: cryptography, clock: SandboxClock()))
    }

    /// Adds the card, and answers how long the processor took.
    ///
    /// - Throws: ``LaboratoryFailure`` where the card was not added.
    public func time(for card: EmulatedCard) async throws(LaboratoryFailure) -> Duration {
        do {
            let request = try handshakes.request(for: row, card: card.binding, deadline: .now + .seconds(12))
            stopwatch.reset()
            _ = try await provider.provision(request)
            return stopwatch.elapsed
        } catch let failure as DeviceFailure {
            throw LaboratoryFailure(failure.description)
        } catch let error as ProvisioningError {
            throw LaboratoryFailure("the processor's answer is \(error.code.rawValue)")
        } catch {
            throw LaboratoryFailure("\(error)")
        }
    }
}

/// Measures from a request to its answer.
private final class Stopwatch: UpstreamTransport {
    private let transport: any UpstreamTransport
    private let total = Mutex(Duration.zero)

    init(_ transport: any UpstreamTransport) { self.transport = transport }

    var elapsed: Duration { total.withLock { $0 } }

    func reset() { total.withLock { $0 = .zero } }

    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        let start = ContinuousClock.now
        let answer = try await transport.send(request)
        let time = ContinuousClock.now - start
        total.withLock { $0 += time }
        return answer
    }
}
