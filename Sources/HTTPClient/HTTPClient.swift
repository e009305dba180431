internal import CCurl
public import EventLoop
public import ProviderKit
internal import Synchronization

/// Sends requests to processors, on the loop that asks.
///
/// Each loop has its own libcurl, with its own pool of kept-alive connections; nothing is shared between loops. A task
/// that runs on one of the loops is served there; any other is served by one of them in turn, and resumes where it was.
public final class HTTPClient: Sendable {
    private let drivers: [CurlDriver]
    private let turn = Atomic<Int>(0)
    private let transports = Atomic<Int>(0)

    /// Makes a client for the loops, which must be started and outlive it.
    ///
    /// `idleConnectionsPerLoop` is how many kept-alive connections each loop holds; the oldest is closed first.
    public init(loops: [EventLoop], idleConnectionsPerLoop: Int = 256) {
        precondition(!loops.isEmpty, "a client needs a loop")
        precondition(Self.isLibraryReady, "libcurl cannot be used")
        drivers = loops.map { CurlDriver(loop: $0, idleConnections: idleConnectionsPerLoop) }
    }

    deinit { close() }

    /// A transport with these options. Transports of one client share its connections where their TLS settings agree.
    public func transport(_ options: TransportOptions) -> any UpstreamTransport {
        let identifier = transports.wrappingAdd(1, ordering: .relaxed).newValue
        return CurlTransport(client: self, settings: TransferSettings(options, identifier: identifier))
    }

    /// Ends what is in flight as cancelled, and closes every connection. Call it before the loops are stopped; it does
    /// not wait.
    public func close() {
        for driver in drivers { driver.loop.execute { driver.close() } }
    }

    /// The driver of this loop, or one in turn.
    var driver: CurlDriver {
        if let loop = EventLoop.current, let driver = drivers.first(where: { $0.loop === loop }) { return driver }
        return drivers[(turn.wrappingAdd(1, ordering: .relaxed).oldValue & Int.max) % drivers.count]
    }

    /// Lets go of what the drivers keep for a transport that is no more.
    func forget(_ settings: TransferSettings) {
        for driver in drivers { driver.loop.execute { driver.forget(settings) } }
    }

    static let isLibraryReady: Bool = {
        passgate_ignore_sigpipe()
        return passgate_curl_global_init() == CURLE_OK
    }()
}
