import CLinux
import CMicrohttpd
import EventLoop
import Glibc

/// What happens to a connection between its requests.
extension HTTPWorker {
    /// Something happened on the client's socket.
    func ready(_ connection: HTTPConnection, _ readiness: EventLoop.Readiness) {
        if readiness.contains(.halfClosed) { connection.isHalfClosed = true }
        let isGone = !readiness.isDisjoint(with: [.hangUp, .error])
        switch connection.phase {
        case .idle, .arriving:
            if isGone { drop(connection) } else { look(connection) }
        case .engaged where isGone:
            clientLeft(connection)
        case .engaged where connection.exchange?.isChunked == true:
            chunksArrived(connection)
        case .engaged, .unsure, .leaving:
            break
        }
    }

    /// Looks at what waits in a parked connection's socket, and hands the connection to the library once a sound head
    /// is there.
    func look(_ connection: HTTPConnection) {
        let count = passgate_peek(connection.descriptor, scratch.baseAddress, scratch.count)
        guard count > 0 else {
            if count == 0 || errno != EAGAIN && errno != EINTR { drop(connection) }
            return
        }
        defer { wipeScratch(count) }
        if connection.phase == .idle {
            connection.phase = .arriving
            connection.since = .now
        }
        let bytes = UnsafeRawBufferPointer(rebasing: scratch[..<count]).assumingMemoryBound(to: UInt8.self)
        switch HeadReading(bytes, limit: configuration.headerBytes) {
        case .incomplete:
            if connection.isHalfClosed { refuse(connection, .malformed("the head ends before its last line")) }
        case .refused(let refusal):
            refuse(connection, refusal)
        case .complete(let head):
            if ledger.isDraining { refuse(connection, .draining) } else { engage(connection, head) }
        }
    }

    private func engage(_ connection: HTTPConnection, _ head: RequestHead) {
        connection.phase = .engaged
        connection.head = head
        if let handle = connection.handle { return resume(connection, handle) }
        wantsRun = true
        joining = connection
        defer { joining = nil }
        var address = connection.address
        let isTaken = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socketAddress in
                MHD_add_connection(daemon, connection.descriptor, socketAddress, connection.addressLength)
            }
        }
        // The library has closed the socket where it could not take it.
        if isTaken != .YES { forget(connection) }
    }

    /// Puts a connection aside until its next request: suspended where every byte is accounted for, else left with the
    /// library, which then holds bytes of a further request that we have not looked at.
    func park(_ connection: HTTPConnection, _ handle: OpaquePointer) {
        var isGone: Int32 = 0
        var received: UInt64 = 0
        guard !ledger.isDraining, !connection.isGone,
            passgate_tcp_progress(connection.descriptor, &isGone, &received) == 0, isGone == 0
        else { return drop(connection) }
        connection.since = .now
        var unread: UInt64 = 0
        if received != connection.accounted {
            unread = UInt64(max(passgate_unread_bytes(connection.descriptor), 0))
        }
        guard received &- unread == connection.accounted else {
            connection.phase = .unsure
            return
        }
        connection.phase = .idle
        suspend(connection, handle)
        if unread > 0 || connection.isHalfClosed { look(connection) }
    }

    /// Answers what never became a request, and closes the connection once the client can have read the answer.
    func refuse(_ connection: HTTPConnection, _ refusal: HTTPRefusal) {
        answer(connection, handler.refusal(refusal))
    }

    /// Writes an answer past the library, which has none of its own under way, and ends the connection.
    func answer(_ connection: HTTPConnection, _ response: HTTPResponse) {
        let isWritten = RawAnswer(response).send(to: connection.descriptor)
        response.onDelivery?(isWritten ? .written : .failed)
        linger(takeOut(connection))
    }

    /// Ends a connection without a word.
    func drop(_ connection: HTTPConnection) {
        let descriptor = takeOut(connection)
        if descriptor >= 0 { close(descriptor) }
    }

    /// The connection's socket, which is ours alone from now on.
    private func takeOut(_ connection: HTTPConnection) -> Int32 {
        if let handle = connection.handle { return reclaim(connection, handle) }
        forget(connection)
        return connection.descriptor
    }

    /// The client's connection was reset, or failed, while a request of it was under way.
    private func clientLeft(_ connection: HTTPConnection) {
        connection.isGone = true
        connection.exchange?.task?.cancel()
        connection.exchange?.pipe?.interrupt()
        wantsRun = true
        if connection.isSuspended, let handle = connection.handle { resume(connection, handle) }
    }
}
