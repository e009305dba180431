import EventLoop
import HTTPClient
import JSON
import ProviderKit
import Sandbox

/// What every command of the laboratory stands on: a loop, a client, a parser, the network.
struct Laboratory {
    let loops: [EventLoop]
    let transport: any UpstreamTransport
    let json = JSONParser()
    let network: SimulatedNetwork
    private let client: HTTPClient

    init(loops: [EventLoop]) {
        self.loops = loops
        client = HTTPClient(loops: loops)
        var options = TransportOptions()
        options.allowPlainHTTPToLoopback = true
        transport = client.transport(options)
        network = SimulatedNetwork()
    }

    /// A transport for one connection. It goes to loopback without TLS, too.
    func transport(_ options: TransportOptions) -> any UpstreamTransport {
        var options = options
        options.allowPlainHTTPToLoopback = true
        return client.transport(options)
    }

    /// A sandbox with every emulator.
    func makeSandbox() -> Sandbox {
        // Webhooks go to a gateway on this machine.
        var options = TransportOptions()
        options.allowedAddresses = [.loopback]
        return Sandbox(
            emulators: EmulatorCatalogue.emulators(json: json, network: network), json: json,
            courier: transport(options))
    }

    /// A device for the wallet and channel; nil where none is simulated.
    func device(wallet: String, channel: String) throws(DeviceFailure) -> (any SimulatedDevice)? {
        switch (wallet, channel) {
        case ("apple_pay", "in_app"): try SimulatedPhone(network: network)
        case ("google_pay", "in_app"): SimulatedAndroidPhone(network: network)
        case ("google_pay", "web"): SimulatedBrowser(network: network)
        default: nil
        }
    }

    /// Closes every connection.
    func close() { client.close() }
}

extension Laboratory {
    /// Calls `body` when the operator wants an end: SIGTERM, or Ctrl-C.
    func onTermination(_ body: @escaping @Sendable () -> Void) async {
        guard let loop = loops.first else { return }
        await loop.run {
            SignalWatch.watch(on: loop) { signal in if signal == .terminate { body() } }
        }.value
    }
}
