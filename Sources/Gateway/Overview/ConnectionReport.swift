public import ProviderKit
public import Provisioning

/// How a connection is, as far as this instance has seen.
public struct ConnectionReport: Sendable {
    /// Its name.
    public let name: String
    /// What the provider can do.
    public let descriptor: ProviderDescriptor
    /// Whether its credentials are for real cards.
    public let environment: ConnectionSettings.Environment
    /// How it is, by its calls.
    public let health: ConnectionHealth
    /// Whether the breaker is open.
    public let isOpen: Bool
    /// How many calls are under way.
    public let inFlight: Int
    /// How many calls may be under way.
    public let inFlightLimit: Int
    /// How many extra attempts are left.
    public let budgetLeft: Int
    /// How far the processor's clock is from ours; nil before the first answer.
    public let skew: RemoteClock.Skew?
    /// When the first of its certificates ends; nil where it has none of its own.
    public let certificatesEndAt: Timestamp?
}

extension Gateway {
    /// How every connection of the configuration is, in the order of their names.
    public func connectionReports() -> [ConnectionReport] {
        directory.connections.values.sorted { $0.name < $1.name }.map { connection in
            let gate = traffic.gate(of: connection.name)
            return ConnectionReport(
                name: connection.name, descriptor: connection.descriptor, environment: connection.environment,
                health: gate.health, isOpen: gate.isOpen, inFlight: gate.inFlight, inFlightLimit: connection.inFlight,
                budgetLeft: gate.budgetLeft, skew: connection.remoteClock.skew,
                certificatesEndAt: connection.certificatesEndAt)
        }
    }
}
