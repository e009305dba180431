import Glibc

/// Many connections of one process that say little, and read nothing.
public final class IdleCrowd: Sendable {
    /// The kernel gave no further connection.
    public struct NoRoom: Error {
        /// How many there were until then.
        public let count: Int
    }

    private let sockets: [Int32]

    /// Whether this process may have so many sockets at once. Its own limit is raised as far as it may be.
    public static func hasRoom(for count: Int) -> Bool {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(files, &limit) == 0 else { return false }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(files, &limit)
            getrlimit(files, &limit)
        }
        // What else a test program has open.
        return Int(clamping: limit.rlim_cur) >= count + 500
    }

    /// Opens so many connections to the loopback port, and says on each what `text` gives for its number.
    ///
    /// - Throws: ``NoRoom``.
    public init(_ count: Int, to port: UInt16, saying text: (Int) -> String = { _ in "" }) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var sockets: [Int32] = []
        for number in 0..<count {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else {
                for descriptor in sockets + [descriptor] where descriptor >= 0 { close(descriptor) }
                throw NoRoom(count: number)
            }
            sockets.append(descriptor)
            let bytes = Array(text(number).utf8)
            if !bytes.isEmpty { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
        }
        self.sockets = sockets
    }

    /// How many of them the other side has not ended.
    public var openCount: Int {
        sockets.count { descriptor in
            var entry = pollfd(fd: descriptor, events: 0x2000, revents: 0)  // POLLRDHUP, which the C library hides
            return poll(&entry, 1, 0) == 0
        }
    }

    /// Ends all of them.
    public func leave() { for descriptor in sockets { shutdown(descriptor, Int32(SHUT_RDWR)) } }

    deinit { for descriptor in sockets { close(descriptor) } }
}
