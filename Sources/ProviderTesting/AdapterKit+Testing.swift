import JSON
public import ProviderKit

extension AdapterKit {
    /// A kit for tests: the gateway's JSON parser, a clock that stands still, and no cryptography unless given.
    public static func testing(
        _ transport: any UpstreamTransport, cryptography: any AdapterCryptography = StandInCryptography(),
        clock: any WallClock = FixedClock()
    ) -> AdapterKit {
        AdapterKit(transport: transport, json: JSONParser(), cryptography: cryptography, clock: clock)
    }
}
