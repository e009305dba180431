/// How the gateway is.
public struct HealthReport: Codable, Hashable, Sendable {
    /// `ok` or `ready`.
    public let status: String
}
