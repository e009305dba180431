import CMicrohttpd
import EventLoop

/// What the library calls back, all of it from within `MHD_run`, `MHD_add_connection` or `MHD_stop_daemon`.
extension HTTPWorker {
    static func callbacks(for context: UnsafeMutableRawPointer) -> passgate_mhd_callbacks {
        passgate_mhd_callbacks(
            context: context,
            access: { context, handle, target, method, version, upload, size, _ in
                guard let context, let handle, let size, let connection = HTTPWorker.connection(handle) else {
                    return .NO
                }
                HTTPWorker.of(context).hasCalled = true
                let text = RequestText(target: target, method: method, version: version)
                return HTTPWorker.of(context).access(connection, handle, text, upload, size)
            },
            completed: { context, handle, _, reason in
                guard let context, let handle, let connection = HTTPWorker.connection(handle) else { return }
                HTTPWorker.of(context).completed(
                    connection, isWhole: reason == .REQUEST_TERMINATED_COMPLETED_OK)
            },
            connection: { context, handle, slot, code in
                guard let context, let handle, let slot else { return }
                let worker = HTTPWorker.of(context)
                if code == .CONNECTION_NOTIFY_STARTED {
                    guard let connection = worker.joining else { return }
                    slot.pointee = Unmanaged.passRetained(connection).toOpaque()
                    connection.handle = handle
                } else if let raw = slot.pointee {
                    slot.pointee = nil
                    worker.closed(Unmanaged<HTTPConnection>.fromOpaque(raw).takeRetainedValue())
                }
            },
            target: { context, target, handle in
                if let context, let handle, let connection = HTTPWorker.connection(handle) {
                    HTTPWorker.of(context).began(connection, target: target)
                }
                return nil
            },
            message: { context in
                if let context { HTTPWorker.of(context).holdReading() }
            })
    }

    /// What the library passes of a request's first line.
    struct RequestText {
        let target: UnsafePointer<CChar>?
        let method: UnsafePointer<CChar>?
        let version: UnsafePointer<CChar>?
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> HTTPWorker {
        Unmanaged.fromOpaque(context).takeUnretainedValue()
    }

    private static func connection(_ handle: OpaquePointer) -> HTTPConnection? {
        passgate_mhd_connection_context(handle).map {
            Unmanaged.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// The library has read a request line.
    private func began(_ connection: HTTPConnection, target: UnsafePointer<CChar>?) {
        let isChecked = connection.head != nil
        connection.phase = connection.phase == .leaving ? .leaving : .engaged
        let now = ContinuousClock.now
        connection.exchange = HTTPExchange(
            target: target, receivedAt: isChecked ? connection.since : now,
            bodyDeadline: now + configuration.bodyDeadline)
    }

    /// The library has ended a request, whole or not, and may begin with the connection's next one.
    private func completed(_ connection: HTTPConnection, isWhole: Bool) {
        hasCalled = true
        guard let exchange = connection.exchange.take() else { return }
        connection.head = nil
        connection.hasEnded = !isWhole || !exchange.keepsConnection
        connection.since = .now
        connection.accounted += exchange.wireBytes
        exchange.isDetached = true
        if exchange.stage == .answering {
            exchange.deliver(isWhole && !connection.isGone && stands(connection) ? .written : .failed)
        } else {
            exchange.pipe?.interrupt()
            exchange.task?.cancel()
            connection.isUnanswered = exchange.stage != .received
        }
        finishCounting(exchange)
        if isWhole && connection.phase == .engaged {
            connection.phase = .unsure
            connection.isKept = exchange.keepsConnection
            settleLater(connection)
        }
    }

    /// A reset may have come while the last bytes were being written.
    private func stands(_ connection: HTTPConnection) -> Bool {
        var isGone: Int32 = 0
        var received: UInt64 = 0
        return passgate_tcp_progress(connection.descriptor, &isGone, &received) != 0 || isGone == 0
    }

    /// The library is about to close the connection's socket.
    private func closed(_ connection: HTTPConnection) {
        connection.handle = nil
        loop.unwatch(connection.descriptor)
        if isOwedAnswer(connection) {
            _ = RawAnswer(handler.refusal(Self.unread)).send(to: connection.descriptor)
            connection.lingers = true
        }
        if connection.lingers { linger(passgate_duplicate(connection.descriptor)) }
        forget(connection)
    }
}
