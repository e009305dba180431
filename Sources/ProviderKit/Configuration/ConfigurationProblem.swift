/// Something wrong with the configuration, named by its key path. It never quotes a value that may be a secret.
public struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
    /// Whether the gateway can start with it.
    public enum Severity: String, Sendable {
        /// It cannot.
        case problem
        /// It can, but an operator should know.
        case warning
    }

    /// Whether the gateway can start with it.
    public let severity: Severity
    /// Where, such as `connections.increase_main.api_key`.
    public let keyPath: String
    /// What is wrong and what would be right, in a plain sentence.
    public let message: String

    /// Makes a problem of its members.
    public init(_ severity: Severity, at keyPath: String, _ message: String) {
        self.severity = severity
        self.keyPath = keyPath
        self.message = message
    }

    /// One line for a terminal.
    public var description: String { "\(severity.rawValue): \(keyPath): \(message)" }
}
