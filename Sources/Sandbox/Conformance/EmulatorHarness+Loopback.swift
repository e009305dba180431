import Crypto
import EventLoop
import HTTPClient
import JSON
import ProviderConformance
public import ProviderKit

extension EmulatorHarness {
    /// A harness for tests: a loop and a client of its own, which live until the process ends.
    ///
    /// ```swift
    /// static let harness = EmulatorHarness<IncreaseProvider>.onLoopback { IncreaseEmulator(json: $0, network: $1) }
    /// ```
    public static func onLoopback(
        _ makeEmulator: @escaping @Sendable (any JSONParsing, SimulatedNetwork) -> any Emulator
    ) -> Self {
        let loops = EventLoopGroup(count: 1).loops
        var options = TransportOptions()
        options.allowPlainHTTPToLoopback = true
        let network = SimulatedNetwork()
        return Self(
            network: network, on: loops, transport: HTTPClient(loops: loops).transport(options),
            cryptography: OpenSSLCryptography()
        ) { makeEmulator(JSONParser(), network) }
    }
}
