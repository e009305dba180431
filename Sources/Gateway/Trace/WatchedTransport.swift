public import ProviderKit

/// The way to a processor: it tells the processor whose trace a call belongs to, and looks at the processor's clock.
struct WatchedTransport: UpstreamTransport {
    let transport: any UpstreamTransport
    let remote: RemoteClock
    let clock: any WallClock

    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        let response = try await transport.send(TraceContext.current?.added(to: request) ?? request)
        remote.look(at: response, now: clock.now)
        return response
    }
}

extension AdapterKit {
    /// The kit with a transport that passes traces on, and has the processor's clock compared with ours.
    public func watched(by remote: RemoteClock) -> AdapterKit {
        AdapterKit(
            transport: WatchedTransport(transport: transport, remote: remote, clock: clock), json: json,
            cryptography: cryptography, clock: clock)
    }
}
