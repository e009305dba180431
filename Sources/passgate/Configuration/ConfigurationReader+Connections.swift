import ConfigurationFile
import Gateway
import HTTPClient
import ProviderKit
import Provisioning
import SecretMemory

extension ConfigurationReader {
    /// A connection as far as it could be read.
    struct ReadConnection {
        /// Nil where a problem forbids it.
        var connection: Connection?
        /// Nil where it is not known.
        var environment: ConnectionSettings.Environment?
    }

    /// Every connection of the file, by name.
    func readConnections(limits: Configuration.Limits) -> [String:
        ReadConnection]
    {
        requireMembers(of: "connections", "connection to a processor")
        var connections: [String: ReadConnection] = [:]
        for (name, value) in members(of: "connections") ?? [] {
            let keyPath = "connections.\(name)"
            checkName(name, at: keyPath)
            guard case .mapping(let values) = value else {
                if case .unresolved = value { continue }
                problems.problem(
                    at: keyPath, "must be a mapping with provider, environment and the provider's own keys")
                continue
            }
            connections[name] = readConnection(name, values, limits: limits)
        }
        return connections
    }

    private func readConnection(
        _ name: String, _ values: [(key: String, value: SettingValue)], limits: Configuration.Limits
    ) -> ReadConnection {
        let keyPath = "connections.\(name)"
        let common = settings(values, at: keyPath, connection: name)
        let provider = readProvider(common)
        let environment = readEnvironment(common)
        let options = TransportReader(settings: common, now: SystemClock().now).read(environment)
        let inFlight = common.integer("in_flight", in: 1...65_536, default: limits.inFlightPerConnection)
        let rate = readRate(common)
        guard let provider else { return ReadConnection(environment: environment) }
        let own = settings(
            values, at: keyPath, connection: name, environment: environment ?? .test, known: TransportReader.commonKeys,
            allowedHTTPHosts: options.allowPlainHTTPHosts)
        let remoteClock = RemoteClock()
        let adapter = provider.init(settings: own, kit: makeKit(name, options).watched(by: remoteClock))
        own.reportUnknownKeys()
        let connection = adapter.map {
            Connection(
                name: name, environment: environment ?? .test, descriptor: provider.descriptor, provider: $0,
                inFlight: inFlight, ratePerSecond: rate, remoteClock: remoteClock,
                certificatesEndAt: options.certificatesEndAt)
        }
        return ReadConnection(connection: connection, environment: environment)
    }

    private func readProvider(_ common: ConnectionSettings) -> (any ConfigurableProvider.Type)? {
        guard let id = common.text("provider") else { return nil }
        if let provider = providers.first(where: { $0.descriptor.id == id }) { return provider }
        let known = providers.map { $0.descriptor.id }.joined(separator: ", ")
        common.problem("provider", "is not a known provider; there are \(known)")
        return nil
    }

    private func readEnvironment(_ common: ConnectionSettings) -> ConnectionSettings.Environment? {
        guard let text = common.text("environment") else { return nil }
        if let environment = ConnectionSettings.Environment(rawValue: text) { return environment }
        common.problem("environment", "must be live or test")
        return nil
    }

    private func readRate(_ common: ConnectionSettings) -> Double? {
        guard let text = common.text("rate_per_second", required: false) else { return nil }
        if let rate = Double(text), rate > 0, rate <= 1_000_000 { return rate }
        common.problem("rate_per_second", "must be a number above 0, up to 1000000")
        return nil
    }
}
