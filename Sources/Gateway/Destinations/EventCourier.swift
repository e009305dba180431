public import ProviderKit

/// How events leave for destinations, and which URLs they may leave for.
public struct EventCourier: Sendable {
    /// Whether events may be sent to a URL, as far as the URL itself tells. The transport has the last word, when it
    /// knows the address that the name led to.
    public let accepts: @Sendable (_ url: String) -> Bool
    /// Carries them. It must follow no redirect, and connect to no address that is not allowed.
    public let transport: any UpstreamTransport

    /// Makes a courier of its parts.
    public init(accepts: @escaping @Sendable (_ url: String) -> Bool, transport: any UpstreamTransport) {
        self.accepts = accepts
        self.transport = transport
    }

    /// A courier that goes nowhere.
    public static let none = EventCourier(accepts: { _ in false }, transport: NoTransport())
}

/// Sends nothing.
private struct NoTransport: UpstreamTransport {
    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        throw .notSent(.unreachable)
    }
}
