internal import Glibc

/// Whether a server could listen somewhere.
public enum PortProbe: Sendable {
    /// What was found.
    public enum Finding: Sendable, Equatable {
        /// Nobody listens there, and this process may.
        case free
        /// Somebody listens there.
        case taken
        /// The address is none of this machine's.
        case notHere
        /// This process may not listen there.
        case forbidden
    }

    /// Tries to take the port, and gives it back at once. The host is an IPv4 or IPv6 address without brackets.
    public static func tryPort(host: String, port: UInt16) -> Finding {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found else { return .notHere }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            address.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return .notHere }
        defer { close(descriptor) }
        // As servers do: connections that have just ended keep nobody out.
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0, listen(descriptor, 1) == 0
        else {
            switch errno {
            case EADDRINUSE: return .taken
            case EACCES, EPERM: return .forbidden
            default: return .notHere
            }
        }
        return .free
    }
}
