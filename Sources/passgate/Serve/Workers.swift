import EventLoop
import HTTPClient
import ProviderKit

/// The threads that serve, and their way to the processors.
struct Workers: Sendable {
    let group: EventLoopGroup
    let client: HTTPClient

    /// Starts that many threads.
    init(count: Int) {
        group = EventLoopGroup(count: count)
        client = HTTPClient(loops: group.loops)
    }

    /// What an adapter is given for a connection with these options.
    func kit(_ options: TransportOptions) -> AdapterKit { .around(client.transport(options)) }

    /// Ends the threads, after everything that runs on them has ended.
    func stop() {
        client.close()
        group.stop()
    }
}
