import Foundation
import Glibc
import Synchronization

/// A server of raw sockets: each connection is served on a thread of its own, by the test's script.
public final class ScriptedServer: Sendable {
    /// Serves one connection, on its thread.
    public typealias Script = @Sendable (Peer) -> Void

    /// The port that it listens on, on 127.0.0.1.
    public let port: UInt16
    private let listener: Int32
    private let holder: Int32
    private let state = Mutex(State())
    private let threads = DispatchGroup()
    private let closed = Counter()

    private struct State {
        var received: [UInt8] = []
        var peers: [Peer] = []
        var isStopped = false
    }

    /// Listens on a free loopback port.
    public init(_ script: @escaping Script) throws {
        (listener, port) = try Self.bind(port: 0)
        // A listener that is shut down gives its port up, and another test would get it: this one keeps it.
        (holder, _) = try Self.bind(port: port)
        guard listen(listener, 512) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        threads.enter()
        Thread.detachNewThread { [self] in
            acceptAll(script)
            threads.leave()
        }
    }

    private static func bind(port: UInt16) throws -> (socket: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// The URL of a path here.
    public func url(_ path: String = "/cards") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// All that any connection has received.
    public var received: String { state.withLock { String(decoding: $0.received, as: UTF8.self) } }

    /// How many connections there have been.
    public var connections: Int { state.withLock { $0.peers.count } }

    /// How often the text has arrived, over all connections.
    public func copies(of text: String) -> Int { received.components(separatedBy: text).count - 1 }

    /// Waits until so many connections have been closed at the server's end.
    public func hasClosed(_ number: Int) async { await closed.reaches(number) }

    /// Refuses connections from now on.
    public func stopListening() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Ends every connection at once, and refuses others from now on.
    public func hangUp() {
        stopListening()
        for peer in state.withLock({ $0.peers }) { peer.interrupt() }
    }

    /// Ends every connection and waits for the threads.
    public func stop() {
        let peers = state.withLock { state in
            state.isStopped = true
            return state.peers
        }
        stopListening()
        for peer in peers { peer.interrupt() }
        threads.wait()
        close(listener)
        close(holder)
    }

    func record(_ bytes: ArraySlice<UInt8>) { state.withLock { $0.received.append(contentsOf: bytes) } }

    private func acceptAll(_ script: @escaping Script) {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            let peer = state.withLock { state in
                let peer = Peer(descriptor, index: state.peers.count, server: self)
                state.peers.append(peer)
                if state.isStopped { peer.interrupt() }
                return peer
            }
            threads.enter()
            Thread.detachNewThread { [self] in
                script(peer)
                peer.close()
                closed.add()
                threads.leave()
            }
        }
    }
}
