import CLinux
import CMicrohttpd
import Glibc

/// The sockets that a server listens with: one a loop, all on the same port, so that the kernel spreads connections.
struct ListeningSockets {
    let descriptors: [Int32]
    let port: UInt16

    private static let backlog: Int32 = 4096

    /// Binds and listens.
    ///
    /// - Throws: ``HTTPServerError`` that names what is wrong with the address.
    init(host: String, port: UInt16, count: Int) throws(HTTPServerError) {
        let host = host == "localhost" ? "127.0.0.1" : host
        let isShared = count > 1
        // A port that is shared among our loops could be shared with a second server unnoticed: a socket that does not
        // share finds out first.
        if isShared && port != 0 { close(try Self.bind(host, port, isShared: false)) }
        var made: [Int32] = []
        var bound = port
        do throws(HTTPServerError) {
            for _ in 0..<count {
                let descriptor = try Self.bind(host, bound, isShared: isShared)
                made.append(descriptor)
                if bound == 0 { bound = passgate_bound_port(descriptor) }
            }
            for descriptor in made where listen(descriptor, Self.backlog) != 0 {
                throw errno == EADDRINUSE
                    ? .addressInUse(host: host, port: bound) : .system(operation: "listen", code: errno)
            }
        } catch {
            for descriptor in made { close(descriptor) }
            throw error
        }
        descriptors = made
        self.port = bound
    }

    private static func bind(_ host: String, _ port: UInt16, isShared: Bool) throws(HTTPServerError) -> Int32 {
        let descriptor = passgate_bind(host, port, isShared ? 1 : 0)
        if descriptor >= 0 { return descriptor }
        switch errno {
        case EADDRINUSE: throw .addressInUse(host: host, port: port)
        case EADDRNOTAVAIL: throw .addressNotAvailable(host: host)
        case EINVAL: throw .addressInvalid(host: host)
        case EACCES: throw .permissionDenied(port: port)
        case let code: throw .system(operation: "bind", code: code)
        }
    }
}
