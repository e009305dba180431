import Foundation

/// A port where connections can be begun, and are never made: its queue is full, and nobody takes from it.
final class StalledPort {
    private let sockets: [FileHandle]

    /// Listens on the port, and fills its queue.
    init(_ port: UInt16) throws {
        let address = LoopbackAddress(port: port)
        let listener = FileHandle(fileDescriptor: try RawCaller.open(), closeOnDealloc: true)
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(listener.fileDescriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
        let isBound = unsafe address.use { unsafe bind(listener.fileDescriptor, $0, $1) } == 0
        guard isBound, listen(listener.fileDescriptor, 0) == 0 else { throw RawCaller.ConnectFailure() }
        var sockets = [listener]
        for _ in 0..<4 {
            let filler = FileHandle(fileDescriptor: try RawCaller.open(), closeOnDealloc: true)
            _ = fcntl(filler.fileDescriptor, F_SETFL, O_NONBLOCK)
            _ = unsafe address.use { unsafe connect(filler.fileDescriptor, $0, $1) }
            sockets.append(filler)
        }
        self.sockets = sockets
    }

    /// Frees the port.
    func close() throws { for socket in sockets { try socket.close() } }
}
