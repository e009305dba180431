/// Where a server listens and what it bears.
public struct HTTPServerConfiguration: Sendable {
    /// The address, such as `127.0.0.1` or `::1`.
    public var host: String
    /// The port; 0 takes a free one.
    public var port: UInt16
    /// How many bytes a request's head may have.
    public var headerBytes = 16_384
    /// How long the head may take from its first byte.
    public var headerDeadline: Duration = .seconds(10)
    /// How long a body may take, drip feed included; of one that is streamed, how long every 64 KiB of it may take.
    public var bodyDeadline: Duration = .seconds(30)
    /// How long a connection may be idle between requests.
    public var idleTimeout: Duration = .seconds(75)
    /// How many connections may be open, over all loops.
    public var connectionLimit = 10_000

    /// Makes a configuration with the stated defaults.
    public init(host: String = "127.0.0.1", port: UInt16 = 0) {
        self.host = host
        self.port = port
    }
}
