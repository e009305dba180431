/// Why a server did not start.
public enum HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another process, or another server of this one, listens there.
    case addressInUse(host: String, port: UInt16)
    /// No interface of this machine has the address.
    case addressNotAvailable(host: String)
    /// The host is no numeric IPv4 or IPv6 address.
    case addressInvalid(host: String)
    /// The process may not listen on the port.
    case permissionDenied(port: UInt16)
    /// The server has been started before.
    case alreadyStarted
    /// The system refused something else: what, and its error number.
    case system(operation: String, code: Int32)

    /// One sentence for the operator.
    public var description: String {
        switch self {
        case .addressInUse(let host, let port): "\(host) port \(port) is in use"
        case .addressNotAvailable(let host): "\(host) is no address of this machine"
        case .addressInvalid(let host): "\(host) is no numeric IPv4 or IPv6 address"
        case .permissionDenied(let port): "this process may not listen on port \(port)"
        case .alreadyStarted: "the server has been started before"
        case .system(let operation, let code): "\(operation) failed with error \(code)"
        }
    }
}
