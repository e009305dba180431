/// What an adapter is given for one connection.
public struct AdapterKit: Sendable {
    /// Carries the connection's requests, with its TLS settings.
    public let transport: any UpstreamTransport
    /// Reads upstream bodies.
    public let json: any JSONParsing
    /// Signs, encrypts and compares.
    public let cryptography: any AdapterCryptography
    /// Tells the time of day.
    public let clock: any WallClock

    /// Makes a kit of its members.
    public init(
        transport: any UpstreamTransport, json: any JSONParsing, cryptography: any AdapterCryptography,
        clock: any WallClock
    ) {
        self.transport = transport
        self.json = json
        self.cryptography = cryptography
        self.clock = clock
    }
}
